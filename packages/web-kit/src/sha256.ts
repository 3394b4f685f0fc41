/**
 * Resolves to the SHA-256 digest of a UTF-8 text, as lowercase hexadecimal. Needs a secure context, because
 * `crypto.subtle` is missing on pages over plain HTTP.
 */
export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
