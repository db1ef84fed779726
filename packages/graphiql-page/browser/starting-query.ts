/** What stands in the first tab. */
export const startingQuery = `# Ctrl-Enter asks this question.
# Ctrl-Space proposes what may stand here.
# The book on the left explains every type.
#
# From the latest block down to its logs:
# all of the answer is one state of the chain.
# Numbers are hexadecimal, values are in wei.
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
