"""Calls what standard input lists with python-bitcoinrpc, one by one and then all in one batch; prints what it was given as JSON.

Input: {"url": "http://user:key@host:port/path", "calls": [[method, parameter, ...], ...]}
Output: {"single": [{"result": ...} | {"error": [code, message]}, ...], "batch": [result, ...]}
Numbers with a fraction are printed as texts, as exact as they came.
"""

import decimal
import json
import sys

from bitcoinrpc.authproxy import AuthServiceProxy, JSONRPCException


def call(client, method, parameters):
    try:
        return {"result": getattr(client, method)(*parameters)}
    except JSONRPCException as refusal:
        return {"error": [refusal.code, refusal.message]}


def as_text(value):
    if isinstance(value, decimal.Decimal):
        return str(value)
    raise TypeError(type(value))


asked = json.load(sys.stdin)
client = AuthServiceProxy(asked["url"], timeout=60)
single = [call(client, method, parameters) for method, *parameters in asked["calls"]]
answered = [list(asked_for) for asked_for, answer in zip(asked["calls"], single) if "error" not in answer]
json.dump({"single": single, "batch": client.batch_(answered)}, sys.stdout, default=as_text)
