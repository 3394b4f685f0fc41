import { createHmac, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import * as z from 'zod';

/**
 * The protocol between exchange and signer: one line per request and answer, authenticated with a shared
 * secret.
 */

const hexAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/);
const whole = z.string().regex(/^\d{1,30}$/);

/** An approved payment with all its details, from which the signer builds the transaction itself. */
export const signingRequest = z.strictObject({
  /** Unique id of the withdrawal; it is signed only once, however often it is requested. */
  origin: z.string().regex(/^[\w :-]{1,100}$/),
  chainId: z.int().positive(),
  asset: z.string().regex(/^[A-Z0-9]{1,12}$/),
  address: hexAddress,
  /** Decimal text, in units of the asset. */
  amount: z.string().regex(/^\d{1,20}(?:\.\d{1,18})?$/),
  /** The operator who approved the payment. */
  approvedBy: z.string().min(1).max(100),
  /** Lowest nonce that may be used, according to the chain and earlier payments. */
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
 * Encodes and authenticates a message as a line. An answer passes its request as `about`, which binds it to the
 * request. Replaying a line is harmless, because the same request returns the same answer.
 */
export function sealed(secret: string, body: unknown, about = ''): string {
  const text = JSON.stringify(body);
  return `${JSON.stringify({ body: text, mac: macOf(secret, text, about) })}\n`;
}

/** Verifies and decodes a line. Throws when it was not created with the secret, or answers another request. */
export function opened(secret: string, text: string, about = ''): unknown {
  const { body, mac } = line.parse(JSON.parse(text));
  const expected = Buffer.from(macOf(secret, body, about), 'hex');
  if (!timingSafeEqual(expected, Buffer.from(mac, 'hex'))) throw new Error('the line is not from us');
  return JSON.parse(body) as unknown;
}

function macOf(secret: string, body: string, about: string): string {
  return createHmac('sha256', secret).update(`${about.length} ${about} ${body}`).digest('hex');
}

/** Parses the signer's address: a socket path or `ADDRESS:PORT` with an IPv4 address. */
export function placeOf(
  place: string,
): { readonly path: string } | { readonly host: string; readonly port: number } {
  const [, host = '', port = ''] = /^([\d.]+):(\d{1,5})$/.exec(place) ?? [];
  return isIP(host) === 4 ? { host, port: Number(port) } : { path: place };
}

/** Call data of ERC-20's `transfer(address,uint256)`. */
export function transferData(address: string, units: bigint): string {
  return `0xa9059cbb${address.slice(2).toLowerCase().padStart(64, '0')}${units.toString(16).padStart(64, '0')}`;
}
