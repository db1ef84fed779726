"""Reads a chain with python-bitcoinlib's typed calls, and holds what it was given against itself; prints what it saw as JSON.

Input: {"url": "http://user:key@host:port/path", "blocks": [hash, ...], "heights": [...], "transactions": [...], "unconfirmed": [...],
"address": "...", "unsent": hex}
"""

import json
import sys

import bitcoin
from bitcoin.core import COutPoint, CTransaction, b2lx, b2x, lx, x
from bitcoin.rpc import Proxy
from bitcoin.wallet import CBitcoinAddress

bitcoin.SelectParams("regtest")
asked = json.load(sys.stdin)
client = Proxy(service_url=asked["url"], timeout=60)

seen = {"count": client.getblockcount(), "best": b2lx(client.getbestblockhash()), "info": client.getinfo()}

seen["blocks"] = []
for text in asked["blocks"]:
    block = client.getblock(lx(text))
    assert b2lx(block.GetHash()) == text
    assert block.calc_merkle_root() == block.hashMerkleRoot
    assert client.getblockheader(lx(text)).serialize() == block.get_header().serialize()
    told = client.getblockheader(lx(text), True)
    seen["blocks"].append([b2x(block.serialize()), told["height"], told["confirmations"], b2x(told["chainwork"])])

seen["hashes"] = [b2lx(client.getblockhash(height)) for height in asked["heights"]]

seen["transactions"] = []
for text in asked["transactions"] + asked["unconfirmed"]:
    transaction = client.getrawtransaction(lx(text))
    assert b2lx(transaction.GetTxid()) == text
    told = client.getrawtransaction(lx(text), True)
    assert told["tx"].serialize() == transaction.serialize()
    unspent = []
    for at, output in enumerate(transaction.vout):
        try:
            found = client.gettxout(COutPoint(lx(text), at))
            assert found["txout"].scriptPubKey == output.scriptPubKey and found["txout"].nValue == output.nValue
            unspent.append(at)
        except IndexError:
            pass
    seen["transactions"].append([b2x(transaction.serialize()), told.get("confirmations"), unspent])

seen["mempool"] = sorted(b2lx(txid) for txid in client.getrawmempool())
seen["entries"] = sorted(client.getrawmempool(True))
seen["address"] = client.validateaddress(CBitcoinAddress(asked["address"]))["isvalid"]
seen["mining"] = client.getmininginfo()["blocks"]

seen["refusals"] = []
for action in (
    lambda: client.getblock(b"\x11" * 32),
    lambda: client.getblockhash(10_000_000),
    lambda: client.getrawtransaction(b"\x11" * 32),
):
    try:
        action()
    except IndexError as refusal:
        seen["refusals"].append(str(refusal))
try:
    client.call("validateaddress")
except Exception as refusal:
    seen["refusals"].append(type(refusal).__name__)

seen["sent"] = b2lx(client.sendrawtransaction(CTransaction.deserialize(x(asked["unsent"]))))
json.dump(seen, sys.stdout, default=lambda value: value.hex() if isinstance(value, bytes) else str(value))
