import { createHmac, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import * as z from 'zod';

/** What the exchange and the signer say to each other: one line each way, bound to the secret that both share. */

const hexAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/);
const whole = z.string().regex(/^\d{1,30}$/);

/** A payment that was approved, complete; the signer makes the transaction of it by itself. */
export const signingRequest = z.strictObject({
  /** The withdrawal's own name: signed once, however often it is asked for. */
  origin: z.string().regex(/^[\w :-]{1,100}$/),
  chainId: z.int().positive(),
  asset: z.string().regex(/^[A-Z0-9]{1,12}$/),
  address: hexAddress,
  /** Decimal text, in the asset. */
  amount: z.string().regex(/^\d{1,20}(?:\.\d{1,18})?$/),
  /** Who let it go. */
  approvedBy: z.string().min(1).max(100),
  /** The least nonce that may be used, as the chain and what was sent before say. */
  nonce: z.int().nonnegative(),
  gasLimit: whole,
  maxFeePerGas: whole,
  maxPriorityFeePerGas: whole,
});
export type SigningRequest = z.output<typeof signingRequest>;

export const signingAnswer = z.union([
  z.strictObject({ raw: z.string().regex(/^0x[0-9a-f]+$/), nonce: z.int().nonnegative() }),
  z.strictObject({ refused: z.string().max(300) }),
]);
export type SigningAnswer = z.output<typeof signingAnswer>;

const line = z.strictObject({ body: z.string(), mac: z.string().regex(/^[0-9a-f]{64}$/) });

export const LINE_MAX = 16_384;

/**
 * Writes a message as a line; an answer is bound to what it answers. A line that somebody says again is harmless: it gets
 * the answer that it got before.
 */
export function sealed(secret: string, body: unknown, about = ''): string {
  const text = JSON.stringify(body);
  return `${JSON.stringify({ body: text, mac: macOf(secret, text, about) })}\n`;
}

/** Reads a line; throws where it is not from somebody who knows the secret, or answers something else. */
export function opened(secret: string, text: string, about = ''): unknown {
  const { body, mac } = line.parse(JSON.parse(text));
  const expected = Buffer.from(macOf(secret, body, about), 'hex');
  if (!timingSafeEqual(expected, Buffer.from(mac, 'hex'))) throw new Error('the line is not from us');
  return JSON.parse(body) as unknown;
}

function macOf(secret: string, body: string, about: string): string {
  return createHmac('sha256', secret).update(`${about.length} ${about} ${body}`).digest('hex');
}

/** Where a signer listens: a socket's path, or `127.0.0.1:PORT`. */
export function placeOf(
  place: string,
): { readonly path: string } | { readonly host: string; readonly port: number } {
  const [, host = '', port = ''] = /^([\d.]+):(\d{1,5})$/.exec(place) ?? [];
  return isIP(host) === 4 ? { host, port: Number(port) } : { path: place };
}

/** `transfer(address,uint256)` of ERC-20. */
export function transferData(address: string, units: bigint): string {
  return `0xa9059cbb${address.slice(2).toLowerCase().padStart(64, '0')}${units.toString(16).padStart(64, '0')}`;
}
