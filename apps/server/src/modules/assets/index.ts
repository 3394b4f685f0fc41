/**
 * assets: what can be owned and traded here. Coins with their digits and logos, pairs with their
 * precisions and limits. The list is the specification's, part of the program and the same for everybody;
 * a pair's status is not kept here but with the market it opens and closes.
 */
export { OUTSIDE_COINS } from './domain.ts';
export { assetRoutes } from './routes.ts';
export { createAssets, type Assets, type Coin, type ListedPair, type PairCoins } from './service.ts';
