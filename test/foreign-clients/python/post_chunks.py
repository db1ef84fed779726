"""Posts a chunked body with one of Python's clients and prints the response.

Arguments: client ("http.client", "urllib", "requests" or "socket"), URL, megabytes.
Output: {"status": 413, "body": "..."}
"""

import http.client
import json
import socket
import sys
import urllib.error
import urllib.parse
import urllib.request

client, url, megabytes = sys.argv[1], sys.argv[2], int(sys.argv[3])
piece = b" " * 65536
target = urllib.parse.urlsplit(url)
path = f"{target.path}?{target.query}"


def pieces():
    for _ in range(megabytes * 16):
        yield piece


def post_with_http_client():
    connection = http.client.HTTPConnection(target.hostname, target.port, timeout=30)
    connection.request("POST", path, body=pieces(), encode_chunked=True, headers={"Transfer-Encoding": "chunked"})
    response = connection.getresponse()
    return response.status, response.read()


def post_with_urllib():
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data=pieces(), method="POST"), timeout=30) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as refusal:
        return refusal.code, refusal.read()


def post_with_requests():
    import requests

    response = requests.post(url, data=pieces(), timeout=30)
    return response.status_code, response.content


def post_with_socket():
    """Reads nothing before everything is sent."""
    connection = socket.create_connection((target.hostname, target.port), timeout=30)
    connection.sendall(
        f"POST {path} HTTP/1.1\r\nHost: {target.netloc}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
    )
    for each in pieces():
        connection.sendall(b"%x\r\n%s\r\n" % (len(each), each))
    connection.sendall(b"0\r\n\r\n")
    response = http.client.HTTPResponse(connection)
    response.begin()
    return response.status, response.read()


post = {
    "http.client": post_with_http_client,
    "urllib": post_with_urllib,
    "requests": post_with_requests,
    "socket": post_with_socket,
}[client]
status, body = post()
print(json.dumps({"status": status, "body": body.decode()}))
