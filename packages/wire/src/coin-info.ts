import * as z from 'zod/mini';
import { coin, decimalText, flagNumber, instantMs } from './codecs.ts';
import { ANYONE, endpoint, publicRead } from './endpoint.ts';

/** An https address; empty for a token that was sold here, which has no site and no explorer. */
const httpsAddress = z.union([z.literal(''), z.string().check(z.regex(/^https:\/\/\S+$/))]);

/** A pair in which the coin is traded here, on either side. */
const listing = z.object({
  symbol: z.string(),
  baseCoin: z.string(),
  quoteCoin: z.string(),
  pricePrecision: z.int(),
  amountPrecision: z.int(),
  minAmount: decimalText,
  maxAmount: decimalText,
  /** In the quote coin. */
  minTotal: decimalText,
  source: z.string(),
});

export const coinInfo = endpoint({
  path: '/market/getCoinInfo',
  summary:
    'What a listed coin is, described in the language of the caller, and the pairs it is traded in here; a token that was sold here is described by its project.',
  access: ANYONE,
  charge: publicRead(1),
  fields: { coin },
  data: z.object({
    coin: z.string(),
    name: z.string(),
    logo: z.string(),
    /** In which its network, or the coin on another's network, began; of a token that was sold here, of its listing. */
    year: z.int(),
    description: z.string(),
    /** How its network agrees on what happened, in words; empty for a token that was sold here. */
    consensus: z.string(),
    /** How many there can ever be; empty where nothing limits it. */
    maxSupply: z.union([z.literal(''), decimalText]),
    website: httpsAddress,
    explorer: httpsAddress,
    /** Decimals in which amounts of it are kept here. */
    digits: z.int(),
    pairs: z.array(listing),
  }),
});

export const coinListing = endpoint({
  path: '/market/getCoinListing',
  summary:
    'What can be done with a coin here: the networks it is deposited and withdrawn on, the pairs it is traded in, and when trading of a token that was sold here begins.',
  access: ANYONE,
  charge: publicRead(1),
  fields: { coin },
  data: z.object({
    coin: z.string(),
    name: z.string(),
    /** Codes of its networks; empty where it exists on this exchange alone. */
    networks: z.array(z.string()),
    /** Symbols of its pairs; empty where it is not traded. */
    pairs: z.array(z.string()),
    /** 1: a token that was sold here. */
    issued: flagNumber,
    /** The listing date of its project; absent for other coins. */
    listTime: z.optional(instantMs),
  }),
});

export type CoinListing = z.infer<(typeof coinListing)['data']>;
export type CoinInfo = z.infer<(typeof coinInfo)['data']>;
