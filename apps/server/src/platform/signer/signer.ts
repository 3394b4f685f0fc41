import { createHash } from 'node:crypto';
import { existsSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { Decimal, sum } from '@exchange/core/decimal.ts';
import type { BaseWallet, HDNodeWallet } from 'ethers';
import type { Signed, SigningJournal } from './journal.ts';
import {
  LINE_MAX,
  opened,
  placeOf,
  sealed,
  signingRequest,
  transferData,
  type SigningAnswer,
  type SigningRequest,
} from './protocol.ts';

const DAY_MS = 86_400_000;
const GAS_MAX = 200_000n;
const LINE_MS = 5_000;

/** Maximum amounts of an asset per payment and within 24 hours. */
export interface SigningLimit {
  readonly once: Decimal;
  readonly day: Decimal;
}

export interface SigningTerms {
  readonly chainId: number;
  /** By asset: its contract (undefined for the chain's native coin) and its number of decimals. */
  readonly assets: ReadonlyMap<string, { readonly contract: string | undefined; readonly digits: number }>;
  readonly limits: ReadonlyMap<string, SigningLimit>;
  /** Maximum fee in wei per unit of gas. */
  readonly feeMax: bigint;
}

interface Parts {
  readonly terms: SigningTerms;
  readonly wallet: BaseWallet | HDNodeWallet;
  readonly journal: SigningJournal;
  readonly secret: string;
  readonly now: () => number;
}

/**
 * Holds the private key and signs approved payments: each origin once, within its own limits. It builds the
 * transaction itself and writes the signed payment to disk before it answers.
 */
export class Signer {
  private readonly parts: Parts;
  private server: Server | undefined;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  get address(): string {
    return this.parts.wallet.address;
  }

  /** Returns the signed transaction, or the reason for refusing it. */
  async sign(request: SigningRequest): Promise<SigningAnswer> {
    const { wallet, journal, now, terms } = this.parts;
    const digest = digestOf(request);
    const earlier = journal.find(request.origin);
    if (earlier !== undefined)
      return earlier.digest === digest
        ? { raw: earlier.raw, nonce: earlier.nonce }
        : { refused: 'another payment was signed under this name' };
    const reason = this.problem(request);
    if (reason !== undefined) return { refused: reason };
    const { contract, digits } = terms.assets.get(request.asset)!;
    const units = Decimal.parse(request.amount).toScaled(digits);
    const nonce = Math.max(request.nonce, journal.nextNonce);
    const raw = await wallet.signTransaction({
      type: 2,
      chainId: terms.chainId,
      nonce,
      gasLimit: BigInt(request.gasLimit),
      maxFeePerGas: BigInt(request.maxFeePerGas),
      maxPriorityFeePerGas: BigInt(request.maxPriorityFeePerGas),
      ...(contract === undefined
        ? { to: request.address, value: units }
        : { to: contract, value: 0n, data: transferData(request.address, units) }),
    });
    const { origin, asset, amount } = request;
    journal.add({ origin, digest, asset, amount, nonce, at: now(), raw } satisfies Signed);
    return { raw, nonce };
  }

  /** Listens at a socket path or port; each line is a request and is answered by one line. */
  async listen(place: string): Promise<void> {
    await removeStaleSocket(place);
    this.server = createServer((socket) => this.serve(socket));
    const { server } = this;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(placeOf(place), resolve);
    });
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.server === undefined) resolve();
      else this.server.close(() => resolve());
    });
  }

  private problem(request: SigningRequest): string | undefined {
    const { terms, journal, now } = this.parts;
    const { asset, chainId } = request;
    const limit = terms.limits.get(asset);
    const assetTerms = terms.assets.get(asset);
    if (chainId !== terms.chainId) return `chain ${chainId} is not ${terms.chainId}`;
    if (assetTerms === undefined || limit === undefined) return `${asset} is not signed here`;
    const amount = Decimal.parse(request.amount);
    if (!amount.isPositive() || !amount.fits(assetTerms.digits))
      return `${request.amount} is no amount of ${asset}`;
    if (amount.isMore(limit.once))
      return `${request.amount} ${asset} are more than ${limit.once.toString()} at once`;
    const earlier = sum(journal.amountsSince(asset, now() - DAY_MS).map((text) => Decimal.parse(text)));
    if (earlier.plus(amount).isMore(limit.day))
      return `with ${request.amount} ${asset} more than ${limit.day.toString()} within a day`;
    if (BigInt(request.gasLimit) > GAS_MAX) return `${request.gasLimit} is too much gas`;
    if (BigInt(request.maxFeePerGas) > terms.feeMax)
      return `${request.maxFeePerGas} wei are too much for gas`;
    return undefined;
  }

  private serve(socket: Socket): void {
    let received = '';
    socket.setEncoding('utf8');
    socket.setTimeout(LINE_MS, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: string) => {
      received += chunk;
      if (received.length > LINE_MAX) socket.destroy();
      else if (received.endsWith('\n')) {
        const requestLine = received;
        received = '';
        this.queue = this.queue.then(() => this.answer(socket, requestLine));
      }
    });
  }

  /** Requests are processed one after another. */
  private queue: Promise<void> = Promise.resolve();

  private async answer(socket: Socket, requestLine: string): Promise<void> {
    const { secret } = this.parts;
    try {
      const request = signingRequest.parse(opened(secret, requestLine));
      socket.end(sealed(secret, await this.sign(request), requestLine));
    } catch {
      // Clients without the secret, or with an invalid request, receive no answer.
      socket.destroy();
    }
  }
}

/** Removes a socket file left by a killed signer. Throws when another signer is listening at the address. */
async function removeStaleSocket(place: string): Promise<void> {
  const address = placeOf(place);
  if (!('path' in address) || !existsSync(address.path)) return;
  const isTaken = await new Promise<boolean>((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
  if (isTaken) throw new Error(`another signer listens at ${place}`);
  unlinkSync(address.path);
}

function digestOf({ chainId, asset, address, amount }: SigningRequest): string {
  const payment = [chainId, asset, address.toLowerCase(), Decimal.parse(amount).toString()];
  return createHash('sha256').update(JSON.stringify(payment)).digest('hex');
}
