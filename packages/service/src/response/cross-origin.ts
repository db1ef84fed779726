/** CORS headers of every response, failures among them: a page must be able to read why it was refused (Fetch Standard, section 3.2). */
export const crossOriginHeaders = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "allow, etag, retry-after, www-authenticate",
} as const;

/** Headers of the response to a preflight, which comes without a key: it allows the requests that the interfaces accept. */
export const preflightHeaders = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, HEAD, POST",
  "access-control-allow-headers": "authorization, content-type, if-none-match, x-api-key",
  "access-control-max-age": "86400",
} as const;
