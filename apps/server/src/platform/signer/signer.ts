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

/** What may be paid in an asset: at most so much at once, and so much within 24 hours. */
export interface SigningLimit {
  readonly once: Decimal;
  readonly day: Decimal;
}

export interface SigningTerms {
  readonly chainId: number;
  /** By asset: its contract, none for the chain's own coin, and the digits of its units. */
  readonly assets: ReadonlyMap<string, { readonly contract: string | undefined; readonly digits: number }>;
  readonly limits: ReadonlyMap<string, SigningLimit>;
  /** In wei for each unit of gas. */
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
 * Has the key, and signs payments that were approved: each origin once, within its own limits. It makes the transaction
 * by itself from what is paid to whom, and remembers on disk what it signed before it tells anybody.
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

  /** The signed transaction, or why there is none. */
  async sign(request: SigningRequest): Promise<SigningAnswer> {
    const { wallet, journal, now, terms } = this.parts;
    const digest = digestOf(request);
    const before = journal.find(request.origin);
    if (before !== undefined)
      return before.digest === digest
        ? { raw: before.raw, nonce: before.nonce }
        : { refused: 'another payment was signed under this name' };
    const refused = this.problem(request);
    if (refused !== undefined) return { refused };
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

  /** Listens at a place; one line is a request, and its answer another. */
  async listen(place: string): Promise<void> {
    await freed(place);
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
    const known = terms.assets.get(asset);
    if (chainId !== terms.chainId) return `chain ${chainId} is not ${terms.chainId}`;
    if (known === undefined || limit === undefined) return `${asset} is not signed here`;
    const amount = Decimal.parse(request.amount);
    if (!amount.isPositive() || !amount.fits(known.digits))
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
    let heard = '';
    socket.setEncoding('utf8');
    socket.setTimeout(LINE_MS, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: string) => {
      heard += chunk;
      if (heard.length > LINE_MAX) socket.destroy();
      else if (heard.endsWith('\n')) {
        const asked = heard;
        heard = '';
        this.queue = this.queue.then(() => this.answer(socket, asked));
      }
    });
  }

  /** Requests are signed one after another. */
  private queue: Promise<void> = Promise.resolve();

  private async answer(socket: Socket, asked: string): Promise<void> {
    const { secret } = this.parts;
    try {
      const request = signingRequest.parse(opened(secret, asked));
      socket.end(sealed(secret, await this.sign(request), asked));
    } catch {
      // Reason: whoever does not know the secret, or asks for half of something, is told nothing.
      socket.destroy();
    }
  }
}

/** Takes a socket away that a killed signer has left; throws where one listens at the place. */
async function freed(place: string): Promise<void> {
  const at = placeOf(place);
  if (!('path' in at) || !existsSync(at.path)) return;
  const isTaken = await new Promise<boolean>((resolve) => {
    const socket = connect(at);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
  if (isTaken) throw new Error(`another signer listens at ${place}`);
  unlinkSync(at.path);
}

function digestOf({ chainId, asset, address, amount }: SigningRequest): string {
  const paid = [chainId, asset, address.toLowerCase(), Decimal.parse(amount).toString()];
  return createHash('sha256').update(JSON.stringify(paid)).digest('hex');
}
