/** What stands in the first tab. */
export const startingQuery = `# Ethereum over GraphQL. Ctrl-Enter asks; Ctrl-Space proposes what may stand at the cursor; the book on the
# left explains each type. Numbers are hexadecimal, as in JSON-RPC, and balances are in wei.
#
# One question from the latest block down to its logs. All of the answer is of one state of the chain.
query LatestBlock {
  block {
    number
    hash
    timestamp
    transactions {
      hash
      status
      value
      from {
        address
        balance
      }
      to {
        address
      }
      logs {
        index
        account {
          address
        }
        topics
        data
      }
    }
  }
}
`;
