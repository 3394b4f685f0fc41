import { DAY_MS, SECOND_MS } from '@exchange/core/time.ts';
import type { Fund, FundRecord } from '../../src/fund/queries.ts';
import type { SecondsOrder } from '../../src/seconds/queries.ts';
import type { Part, Project } from '../../src/subscription/queries.ts';

/** The token whose pair the query cache of the component page contains. */
export const TRADED_TOKEN = 'NOVA';

const NOW = Date.now();

/** Sample data: an open fund of two coins. */
export const FUND: Fund = {
  id: 'f1',
  code: 'majors',
  name: 'Majors',
  currency: 'USDT',
  digits: 8,
  nav: '1.2045',
  navTime: NOW,
  degraded: 0,
  change24h: '0.0234',
  spark: ['1.17', '1.18', '1.16', '1.19', '1.21', '1.2', '1.2045'],
  leverages: [1, 2, 3, 5],
  minAmount: '10',
  step: '0.01',
  manageRate: '0.0001',
  financeRate: '0.0003',
  mmr: '0.05',
  liqFee: '0.01',
  status: 1,
  coverable: '100000',
  composition: [
    { symbol: 'btcusdt', coin: 'BTC', weight: '0.00001', share: '0.6' },
    { symbol: 'ethusdt', coin: 'ETH', weight: '0.0002', share: '0.4' },
  ],
  divisor: '1',
  version: 1,
};

/** Sample data: a position in `FUND` with a gain. */
export const FUND_RECORD: FundRecord = {
  id: 'h1',
  fundId: 'f1',
  name: 'Majors',
  currency: 'USDT',
  digits: 8,
  buyPrice: '1.15',
  quantity: '300',
  free: '300',
  step: '0.01',
  leverage: 3,
  margin: '115',
  mmr: '0.05',
  marketPrice: '1.2045',
  liqPrice: '0.807',
  marginRatio: '7.2',
  profit: '16.35',
  cost: '0.42',
  status: 1,
  openTime: NOW - 3 * DAY_MS,
  sells: [],
};

/** Sample data: a token sale that is open, of a token without a pair. */
export const PROJECT: Project = {
  id: 's1',
  name: 'Orbit',
  symbol: 'ORB',
  logo: '',
  totalSupply: '100000000',
  issueAmount: '1000000',
  ratio: '20',
  quoteCoin: 'USDT',
  quoteDigits: 2,
  tokenDigits: 2,
  minAmount: '50',
  maxAmount: '5000',
  hardCapUser: '50000',
  startTime: NOW - DAY_MS,
  endTime: NOW + 2 * DAY_MS,
  listTime: NOW + 5 * DAY_MS,
  lockDays: 3,
  linearDays: 30,
  committed: '31250.5',
  participants: 412,
  status: 1,
  stage: 'committing',
};

/** Sample data: a commitment to a token sale that has been settled, with tokens that the user can claim. */
export const PART: Part = {
  id: 'c1',
  projectId: 's1',
  name: 'Orbit',
  symbol: 'ORB',
  logo: '',
  quoteCoin: 'USDT',
  committed: '500',
  allocated: '8000',
  cost: '400',
  refund: '100',
  unlocked: '1200',
  released: '400',
  claimable: '800',
  lockUntil: NOW - 2 * DAY_MS,
  unlockedTime: NOW + 28 * DAY_MS,
  status: 2,
  settled: 1,
  line: '5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8',
  salt: 'b109f3bbbc244eb82441917ed06d618b',
};

/** Sample data: an open position in the seconds contract with a duration of half a minute. */
export const SECONDS_ORDER: SecondsOrder = {
  id: 'p1',
  symbol: 'btcusdt',
  baseCoin: 'BTC',
  quoteCoin: 'USDT',
  openTime: NOW,
  openAmount: '25',
  profitRate: '0.8',
  feeRate: '0.01',
  fee: '0.25',
  tradeType: 1,
  buyAmount: '25',
  buyPrice: '97250.1',
  holdTime: 30,
  entryTime: NOW,
  expireTime: NOW + 30 * SECOND_MS,
  status: 0,
  proofId: 'p1',
};
