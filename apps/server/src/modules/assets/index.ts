/**
 * The coins and pairs of this exchange: coins with their digits and logos, pairs with their precision and
 * limits. The list comes from the specification, is part of the program, and is the same for all users. The
 * trading status of a pair is stored by the module that opens and closes markets.
 */
export { OUTSIDE_COINS } from './domain.ts';
export { assetRoutes } from './routes.ts';
export { createAssets, type Assets, type Coin, type ListedPair, type PairCoins } from './service.ts';
