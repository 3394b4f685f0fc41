import { first } from './first.ts';
import about from './about.json';
import alerts from './alerts.json';
import algo from './algo.json';
import assets from './assets.json';
import board from './board.json';
import chart from './chart.json';
import chase from './chase.json';
import coinInfo from './coin-info.json';
import convert from './convert.json';
import depthLadder from './depth-ladder.json';
import desk from './desk.json';
import desktopMarket from './desktop-market.json';
import desktopOrders from './desktop-orders.json';
import desktopSetting from './desktop-setting.json';
import desktopTrade from './desktop-trade.json';
import exported from './export.json';
import fees from './fees.json';
import fields from './fields.json';
import finance from './finance.json';
import help from './help.json';
import grid from './grid.json';
import iceberg from './iceberg.json';
import invite from './invite.json';
import kyc from './kyc.json';
import ladder from './ladder.json';
import mining from './mining.json';
import messages from './messages.json';
import mobileMarket from './mobile-market.json';
import mobileOrders from './mobile-orders.json';
import mobileTrade from './mobile-trade.json';
import orders from './orders.json';
import palette from './palette.json';
import proofs from './proofs.json';
import push from './push.json';
import recurring from './recurring.json';
import records from './records.json';
import replay from './replay.json';
import seconds from './seconds.json';
import security from './security.json';
import settings from './settings.json';
import small from './small.json';
import start from './start.json';
import statement from './statement.json';
import fund from './fund.json';
import subaccount from './subaccount.json';
import subscription from './subscription.json';
import tax from './tax.json';
import tracking from './tracking.json';
import trade from './trade.json';
import upload from './upload.json';
import transfer from './transfer.json';
import user from './user.json';

/**
 * All English texts by namespace. A new JSON file must be added to this list; the lists of the other languages include
 * every file of their folder.
 */
export const words = {
  ...first,
  about,
  alerts,
  algo,
  assets,
  board,
  chart,
  chase,
  'coin-info': coinInfo,
  convert,
  'depth-ladder': depthLadder,
  desk,
  'desktop-market': desktopMarket,
  'desktop-orders': desktopOrders,
  'desktop-setting': desktopSetting,
  'desktop-trade': desktopTrade,
  export: exported,
  fees,
  fields,
  finance,
  mining,
  fund,
  subaccount,
  subscription,
  help,
  grid,
  iceberg,
  invite,
  kyc,
  ladder,
  messages,
  'mobile-market': mobileMarket,
  'mobile-orders': mobileOrders,
  'mobile-trade': mobileTrade,
  orders,
  palette,
  proofs,
  push,
  records,
  recurring,
  replay,
  seconds,
  security,
  settings,
  small,
  start,
  statement,
  tax,
  tracking,
  trade,
  upload,
  transfer,
  user,
} as const;
