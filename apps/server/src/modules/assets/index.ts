/**
 * The coins and pairs of this exchange: coins with their decimals and logos, pairs with their precision and limits. The
 * list is part of the program and the same for all users; tokens sold on the exchange are added to the coins while the
 * server runs. The module that opens and closes markets stores the trading status of a pair.
 */
export { OUTSIDE_COINS } from './domain.ts';
export { assetRoutes } from './routes.ts';
export { createAssets, type Assets, type Coin, type ListedPair, type PairCoins } from './service.ts';
