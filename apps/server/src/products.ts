import type { OfferedNetworks } from '@exchange/core/offered-networks.ts';
import { addressesOf, ALL_SCREENS } from '@exchange/wire/screens.ts';
import type { createAssets } from './modules/assets/index.ts';
import type { Files } from './modules/files/index.ts';
import { createBoard } from './modules/board/index.ts';
import { createConvert } from './modules/convert/index.ts';
import {
  createChains,
  type EvmSettings,
  type UtxoSettings,
  type TronSettings,
  type XrpSettings,
} from './modules/chains/index.ts';
import { createDeposits, DEPOSIT_REMARKS, isDeposit } from './modules/deposits/index.ts';
import { createIncomeDigest } from './modules/earn/index.ts';
import { createFinance } from './modules/finance/index.ts';
import { createFund } from './modules/fund/index.ts';
import { createMining } from './modules/mining/index.ts';
import { createSubAccounts } from './modules/sub-accounts/index.ts';
import { createSubscription } from './modules/subscription/index.ts';
import type { Identity } from './modules/identity/index.ts';
import { createInvite } from './modules/invite/index.ts';
import type { Ledger } from './modules/ledger/index.ts';
import type { Market } from './modules/market/index.ts';
import { createKyc } from './modules/kyc/index.ts';
import type { createMessages, DeclaredMessages } from './modules/messages/index.ts';
import { createRecurring } from './modules/recurring/index.ts';
import { createScreening } from './modules/screening/index.ts';
import { createSeconds } from './modules/seconds/index.ts';
import type { AccountStatuses, Records } from './modules/spot/index.ts';
import { createSupport, SUPPORT_TEXTS, type ChatSettings } from './modules/support/index.ts';
import { createTreasury, type PaymentIdentity } from './modules/treasury/index.ts';
import {
  ADDRESS_REMARKS,
  approvedNeeds,
  createWithdrawals,
  type TravelRuleSettings,
} from './modules/withdrawals/index.ts';
import type { TradingPauses } from './modules/trading-pauses/index.ts';
import { payingNetworks } from './platform/paying-networks.ts';
import type { Product } from './platform/app-module.ts';
import type { Clock } from './platform/clock.ts';
import type { Database } from './platform/database/database.ts';
import type { DemoTexts } from './platform/demo-texts.ts';
import type { Events } from './platform/events.ts';
import type { Feed } from './platform/feed/feed.ts';
import { connectPrivateEvents } from './platform/feed/private-event.ts';
import type { Bulkheads } from './platform/jobs/bulkheads.ts';
import type { Jobs } from './platform/jobs/jobs.ts';
import type { Log } from './platform/log.ts';
import type { Mail } from './platform/mail/mail.ts';
import type { ServerSecret } from './platform/secrets/server-secret.ts';
import type { SigningKey } from './platform/secrets/signing-key.ts';
import type { Sequencer } from './platform/sequencer/sequencer.ts';

/** Services, settings and texts that the product modules get from the server. */
export interface ProductParts {
  readonly mode: 'demo' | 'live';
  readonly clock: Clock;
  readonly log: Log;
  readonly database: Database;
  readonly events: Events;
  readonly feed: Feed;
  readonly jobs: Jobs;
  readonly bulkheads: Bulkheads;
  readonly sequencer: Sequencer;
  readonly ledger: Ledger;
  readonly tradingPauses: TradingPauses;
  readonly market: Market;
  readonly assets: ReturnType<typeof createAssets>;
  readonly coins: ReturnType<typeof createAssets>['coins'];
  readonly identity: Identity;
  readonly messages: ReturnType<typeof createMessages>;
  readonly files: Files;
  readonly mail: Mail;
  readonly secret: ServerSecret;
  /**
   * True if a simulated reviewer decides identity submissions. This is so in a demo with the setting HOUSE_TRADING on.
   */
  readonly pretends: boolean;
  readonly records: Pick<Records, 'feesPaid'>;
  readonly accountStatuses: AccountStatuses;
  /**
   * Deposit addresses, by coin and network (e.g. `USDT/BEP20`), whose deposits users report and operators review,
   * because no node watches them.
   */
  readonly manualDeposits: ReadonlyMap<string, string>;
  /** The networks that users and operators can choose. */
  readonly offered: OfferedNetworks;
  /** Settings of the configured EVM chains, which the server reads from real nodes. */
  readonly evm: readonly EvmSettings[];
  /** Settings of the configured Bitcoin-family chains, which the server reads from real nodes. */
  readonly utxo: readonly UtxoSettings[];
  readonly xrp: XrpSettings | undefined;
  readonly tron: TronSettings | undefined;
  /** URL of a block explorer's transaction page for each network. `{txid}` stands for the transaction's id. */
  readonly explorers: ReadonlyMap<string, string>;
  /** Folder with the files of sanctions lists; undefined if none is configured. */
  readonly sanctionsFolder: string | undefined;
  readonly travelRule: TravelRuleSettings;
  /** Settings of customer service's live chat; undefined if no chat is configured. */
  readonly chat: ChatSettings | undefined;
  readonly signingKey: SigningKey;
  readonly demoTexts: DemoTexts;
}

/** Texts that the demo stores in the name of its demo trader, e.g. support questions, in all languages. */
export const DEMO_TEXTS = [
  ...SUPPORT_TEXTS,
  ...Object.values(DEPOSIT_REMARKS),
  ...Object.values(ADDRESS_REMARKS),
] as const;

/**
 * Creates the product modules except spot (see `compose.ts`), declares the kinds of inbox messages that they send to
 * users, and connects their private events to the live feed. A new product is added here. If it has commands of the
 * sequencer, it is also added in `money.ts`.
 */
export function createProducts(parts: ProductParts) {
  const chainsModule = createChains(parts);
  const { chains } = chainsModule;
  const screeningModule = createScreening(parts);
  const { screening } = screeningModule;
  const kyc = createKyc({ ...parts, screening });
  const treasury = createTreasury({
    ...parts,
    chains,
    screening,
    isDeposit: (payment: PaymentIdentity) => isDeposit(parts.database.store, payment),
    approvedNeeds: () => approvedNeeds(parts.database.store),
    isSendingPaused: () => withdrawals.pause.pausedBy !== undefined,
  });
  const { networkPauses, withdrawalFees } = treasury;
  const deposits = createDeposits({
    ...parts,
    chains,
    screening,
    treasury: treasury.treasury,
    networkPauses,
    withdrawalFees,
  });
  const withdrawals = createWithdrawals({
    ...parts,
    chains,
    screening,
    kyc: kyc.kyc,
    treasury: treasury.treasury,
    networkPauses,
    withdrawalFees,
    hasSigner: payingNetworks(parts).length > 0,
    depositAddresses: (owner, networks) => deposits.deposits.addressesOn(owner, networks),
    lastCreditedSince: (owners, since) => deposits.deposits.lastCreditedSince(owners, since),
  });
  const convert = createConvert(parts);
  const products = {
    board: createBoard({
      ...parts,
      screens: new Map(ALL_SCREENS.map(([name, screen]) => [name, addressesOf(screen)])),
    }),
    screening: screeningModule,
    kyc,
    finance: createFinance(parts),
    convert,
    recurring: createRecurring({ ...parts, convert: convert.convert }),
    mining: createMining(parts),
    income: createIncomeDigest(parts),
    fund: createFund(parts),
    subscription: createSubscription(parts),
    seconds: createSeconds({ ...parts, countryOf: (user) => kyc.kyc.countryOf(user) }),
    subAccounts: createSubAccounts(parts),
    invite: createInvite({
      ...parts,
      kyc: kyc.kyc,
      feesPaid: (...period) => parts.records.feesPaid(...period),
    }),
    chains: chainsModule,
    treasury,
    deposits,
    withdrawals,
    support: createSupport(parts),
  };
  const manifests = Object.values<Product & { readonly messages?: DeclaredMessages }>(products);
  parts.messages.declare(manifests.flatMap(({ messages }) => messages ?? []));
  const privateEvents = manifests.flatMap((product) => product.privateEvents ?? []);
  connectPrivateEvents(privateEvents, parts.events, parts.feed);
  return products;
}

export type Products = ReturnType<typeof createProducts>;
