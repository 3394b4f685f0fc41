import { refusal, Refused, type Refusal } from '@exchange/core/refusal.ts';
import type { Decimal } from '@exchange/core/decimal.ts';
import type { Network } from '@exchange/core/network-table.ts';
import type { TlsFiles } from '@exchange/core/signer-place.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { errorMessage } from '../../platform/error-message.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import type { Log } from '../../platform/log.ts';
import { SignerClient } from '../../platform/signer/client.ts';
import { paidAddresses, sightingsSince } from './block-repository.ts';
import type {
  Channel,
  ChannelTokens,
  DepositSweeps,
  HotWallet,
  NetworkFees,
  SpentFees,
  Wallets,
} from './channel.ts';
import type {
  ChainPayment,
  ChainTransfer,
  Destination,
  FeeRaise,
  PaymentCost,
  RealChannelKind,
  Sending,
  SendingStage,
  SendingStatus,
  SenderFacts,
  Sent,
  SignedVariant,
  VoidStatus,
} from './domain.ts';
import { SignerCertificates } from './signer-certificates.ts';
import { voidWithoutSender } from './void-repository.ts';

/** Milliseconds since the last successful scan after which the channel reports itself down if scans fail. */
const SILENT_MS = 60_000;

/** Address and credentials of a channel's signer. */
export interface SignerPlace {
  /** Address of the signer: the path of a socket, or `ADDRESS:PORT`. */
  readonly signer: string;
  readonly secretFile: string;
  /** Certificate files of the connection to a signer on another machine; undefined for a signer on this machine. */
  readonly tls: TlsFiles | undefined;
}

/** Reads the blocks of a chain, and stores in the database the payments to addresses of the exchange. */
interface ChainScanner {
  /** Number of the newest block that was read; 0 before the first block. */
  readonly height: number;
  /** Number of the newest block that the node had at the last scan, with the finality at which the chain is read. */
  readonly head: number;
  /** Reads new blocks, at most a fixed number per call. Throws if the node does not answer. */
  round(): Promise<void>;
  /** Reads from the database the number of the newest block that was scanned, and stores it in `height`. */
  load(): Promise<void>;
}

/**
 * Has payments signed by the signer, broadcasts them and determines their status. The methods are those of `Channel`
 * with the same names.
 */
export interface PaymentSender extends Pick<Channel, 'send' | 'status' | 'unanswered' | 'recover'> {
  /** Why payments are delayed, for operators; undefined if no payment is delayed. */
  readonly trouble: string | undefined;
  /**
   * The reason why operators must act on a waiting payment, as specified at `Channel.waitReason`; absent on chains
   * where no payment waits for operators.
   */
  waitReason?(origin: string): string | undefined;
  void(sending: Sending, usedBy: string | undefined): Promise<VoidStatus>;
  raiseFee(origin: string, maxFee: bigint): Promise<SignedVariant>;
  plannedRaise(origin: string, maxFee: bigint): Promise<FeeRaise>;
  signedFor(origin: string): Promise<readonly SignedVariant[]>;
  /**
   * Returns what a usual payment of each coin costs at present. Throws `ChannelUnavailable` if the node
   * cannot answer.
   */
  paymentCosts(assets: readonly string[]): Promise<ReadonlyMap<string, PaymentCost>>;
}

export interface ChannelParts {
  readonly clock: Clock;
  readonly database: Pick<Database, 'store' | 'transaction'>;
  readonly log: Log;
}

interface Terms {
  readonly network: string;
  /**
   * Number of blocks by which the last block read may be behind the node's newest block; if it is further behind, the
   * channel reports itself down.
   */
  readonly behindMost: number;
}

/**
 * Base class of all channels of real chains: a scanner reads the blocks of a chain, and a sender makes payments, which
 * a signer in another process signs. A channel without a sender only receives payments.
 */
export abstract class SignedChannel<Sender extends PaymentSender = PaymentSender> implements Channel {
  abstract readonly kind: RealChannelKind;
  abstract readonly wallets: Wallets;
  abstract readonly hot: HotWallet | undefined;
  abstract readonly sweeps: DepositSweeps | undefined;
  abstract readonly tokens: ChannelTokens | undefined;
  abstract readonly fees: NetworkFees | undefined;
  readonly spentFees: SpentFees | undefined = undefined;
  abstract readonly contracts: ReadonlySet<string>;
  readonly networks: readonly string[];
  protected abstract readonly scanner: ChainScanner;
  protected abstract readonly sender: Sender | undefined;
  readonly #parts: ChannelParts;
  readonly #terms: Terms;
  #certificates: SignerCertificates | undefined;
  #heardAt: number | undefined;
  #lastTrouble: string | undefined;

  constructor(parts: ChannelParts, terms: Terms) {
    this.#parts = parts;
    this.#terms = terms;
    this.networks = [terms.network];
  }

  abstract receives(asset: string, network: string): boolean;
  abstract isHouseAddress(network: string, address: string): boolean;
  abstract confirmationsNeeded(network: Network, amount?: Decimal): number;
  abstract destination(network: Network, owner: string, attempt: number): Promise<Destination>;
  abstract isOwn(network: Network, owner: string, destination: Destination): Promise<boolean>;
  abstract stagesOf(origins: readonly string[]): Promise<ReadonlyMap<string, SendingStage>>;
  abstract paymentsIn(txid: string): Promise<readonly ChainPayment[] | undefined>;
  abstract start(): Promise<void>;

  sends(asset: string, network: string): boolean {
    return this.sender !== undefined && this.receives(asset, network);
  }

  get canSend(): boolean {
    return this.sender !== undefined;
  }

  blockSeconds({ blockSeconds }: Network): number {
    return blockSeconds;
  }

  height(): number {
    return this.scanner.height;
  }

  head(): number {
    return this.scanner.head;
  }

  async recipientProblem(_destination: Destination, _amount: Decimal): Promise<Refusal | undefined> {
    return undefined;
  }

  async senderFacts(address: string): Promise<SenderFacts> {
    const [network = ''] = this.networks;
    const [hasCode, paid] = await Promise.all([
      this.hasCode(address),
      paidAddresses(this.#parts.database.store, network, this.storedForm(address)),
    ]);
    return { hasCode, paidAddresses: paid };
  }

  /**
   * True if the address is a contract, as specified at `SenderFacts.hasCode`; undefined on chains without contracts.
   */
  protected async hasCode(_address: string): Promise<boolean | undefined> {
    return undefined;
  }

  /** Converts the address of a payment in a block to the form in which it is stored. */
  protected storedForm(address: string): string {
    return address;
  }

  async scan(): Promise<void> {
    this.#certificates?.watch();
    try {
      await this.scanner.round();
      this.#heardAt = this.#parts.clock.now();
      this.#lastTrouble = undefined;
    } catch (cause) {
      this.#lastTrouble = errorMessage(cause);
      throw cause;
    }
  }

  transfersSince(position: number, limit: number): Promise<ChainTransfer[]> {
    const { store } = this.#parts.database;
    return sightingsSince(store, this.#terms.network, position, limit, (address) => this.displayed(address));
  }

  async send(sending: Sending): Promise<Sent> {
    if (this.sender === undefined) throw new Error(`nothing is sent on ${this.#terms.network}`);
    return this.sender.send(sending);
  }

  async dispatch(): Promise<void> {
    // Does nothing: each payment is a transaction of its own, which `send` broadcasts at once, so there are no batches.
  }

  async status(origin: string): Promise<SendingStatus> {
    return (await this.sender?.status(origin)) ?? { state: 'unknown' };
  }

  async void(sending: Sending, usedBy?: string): Promise<VoidStatus> {
    const { database, clock } = this.#parts;
    return this.sender === undefined
      ? voidWithoutSender(database.store, sending.origin, clock.now())
      : this.sender.void(sending, usedBy);
  }

  async unanswered(limit: number): Promise<readonly string[]> {
    return this.sender === undefined ? [] : this.sender.unanswered(limit);
  }

  async recover(origin: string): Promise<Sent | undefined> {
    return this.sender?.recover(origin);
  }

  async raiseFee(origin: string, maxFee: bigint): Promise<SignedVariant> {
    if (this.sender === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    return this.sender.raiseFee(origin, maxFee);
  }

  async plannedRaise(origin: string, maxFee: bigint): Promise<FeeRaise> {
    if (this.sender === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    return this.sender.plannedRaise(origin, maxFee);
  }

  async signedFor(origin: string): Promise<readonly SignedVariant[]> {
    return this.sender === undefined ? [] : this.sender.signedFor(origin);
  }

  async paymentCosts(assets: readonly string[], network: string): Promise<ReadonlyMap<string, PaymentCost>> {
    const sent = assets.filter((asset) => this.sends(asset, network));
    return this.sender === undefined || sent.length === 0 ? new Map() : this.sender.paymentCosts(sent);
  }

  waitReason(origin: string): string | undefined {
    return this.sender?.waitReason?.(origin);
  }

  readingProblem(): string | undefined {
    const { network, behindMost } = this.#terms;
    const { height, head } = this.scanner;
    const silentMs = this.#heardAt === undefined ? undefined : this.#parts.clock.now() - this.#heardAt;
    if (this.#lastTrouble !== undefined && (silentMs === undefined || silentMs > SILENT_MS))
      return `${network} is not heard: ${this.#lastTrouble}`;
    return head - height > behindMost ? `${network} is read ${head - height} blocks late` : undefined;
  }

  health(): ComponentHealth {
    const { network } = this.#terms;
    const { height, head } = this.scanner;
    const trouble =
      this.readingProblem() ??
      (this.sender?.trouble === undefined
        ? undefined
        : `payments on ${network} wait: ${this.sender.trouble}`);
    const reason = trouble ?? this.#certificates?.problem;
    const can = this.sender === undefined ? 'receives only' : 'receives and sends';
    const facts = { [network]: `block ${height} of ${head}, ${can}` };
    return reason === undefined ? { isUp: true, facts } : { isUp: false, reason, facts };
  }

  async load(): Promise<void> {
    await this.scanner.load();
  }

  async stop(): Promise<void> {
    await this.#certificates?.settled();
  }

  /** Converts a stored address to the form in which users see it. */
  protected displayed(address: string): string {
    return address;
  }

  /**
   * Creates the client of the signer. If the settings contain certificates, the channel checks from then on when they
   * expire.
   */
  protected openSigner({ signer: place, secretFile, tls }: SignerPlace): SignerClient {
    const signer = new SignerClient({ place, secretFile, tls });
    if (tls !== undefined) this.#certificates = new SignerCertificates({ ...this.#parts, signer });
    return signer;
  }
}
