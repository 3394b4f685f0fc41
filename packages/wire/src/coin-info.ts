import * as z from 'zod/mini';
import { coin, decimalText, flagNumber, instantMs } from './codecs.ts';
import { ANYONE, endpoint, publicRead } from './endpoint.ts';

/**
 * Schema of the URL of a coin's website or block explorer, with https; empty for a token sold on this
 * exchange, which has neither.
 */
const httpsAddress = z.union([z.literal(''), z.string().check(z.regex(/^https:\/\/\S+$/))]);

/** A pair whose base or quote coin is the coin. */
const listing = z.object({
  symbol: z.string(),
  baseCoin: z.string(),
  quoteCoin: z.string(),
  pricePrecision: z.int(),
  amountPrecision: z.int(),
  minAmount: decimalText,
  maxAmount: decimalText,
  /** Minimum total of an order on the pair, in the quote coin. */
  minTotal: decimalText,
  source: z.string(),
});

export const coinInfo = endpoint({
  path: '/market/getCoinInfo',
  summary:
    'A description of a listed coin in the caller’s language, and its pairs on this exchange; a token sold on this exchange has the description of its project.',
  access: ANYONE,
  charge: publicRead(1),
  fields: { coin },
  data: z.object({
    coin: z.string(),
    name: z.string(),
    logo: z.string(),
    /**
     * Year in which the coin's own network started, or in which a coin without an own network started on another
     * network. For a token sold on this exchange, the year in which its trading began.
     */
    year: z.int(),
    description: z.string(),
    /** Name of the consensus mechanism of the coin's network; empty for a token sold on this exchange. */
    consensus: z.string(),
    /** Maximum supply of the coin; empty if the supply is unlimited. */
    maxSupply: z.union([z.literal(''), decimalText]),
    website: httpsAddress,
    explorer: httpsAddress,
    /** Number of decimals of the coin's amounts on this exchange. */
    digits: z.int(),
    pairs: z.array(listing),
  }),
});

export const coinListing = endpoint({
  path: '/market/getCoinListing',
  summary:
    'Availability of a coin: its deposit and withdrawal networks, its pairs, and the listing time of a token sold on this exchange.',
  access: ANYONE,
  charge: publicRead(1),
  fields: { coin },
  data: z.object({
    coin: z.string(),
    name: z.string(),
    /** Codes of the coin's networks; empty if the coin exists only on this exchange. */
    networks: z.array(z.string()),
    /** Symbols of the pairs with the coin as base or quote; empty if the coin is not traded. */
    pairs: z.array(z.string()),
    /** 1 if the coin is a token sold on this exchange, otherwise 0. */
    issued: flagNumber,
    /** Time at which a token sold on this exchange was listed for trading; absent for other coins. */
    listTime: z.optional(instantMs),
  }),
});

export type CoinListing = z.infer<(typeof coinListing)['data']>;
export type CoinInfo = z.infer<(typeof coinInfo)['data']>;
