import about from './about.json';
import assets from './assets.json';
import chart from './chart.json';
import desktopHome from './desktop-home.json';
import desktopSetting from './desktop-setting.json';
import desktopTrade from './desktop-trade.json';
import fields from './fields.json';
import home from './home.json';
import market from './market.json';
import messages from './messages.json';
import orders from './orders.json';
import products from './products.json';
import records from './records.json';
import settings from './settings.json';
import shell from './shell.json';
import trade from './trade.json';
import user from './user.json';
import wallet from './wallet.json';
import type { Translated, Words } from '../resources.ts';

export { zhCN as refusals } from '@exchange/wire/words/zh-CN.ts';

/** All Chinese sentences by namespace: every one that English has. */
export const words = {
  about,
  assets,
  chart,
  'desktop-home': desktopHome,
  'desktop-setting': desktopSetting,
  'desktop-trade': desktopTrade,
  fields,
  home,
  market,
  messages,
  orders,
  products,
  records,
  settings,
  shell,
  trade,
  user,
  wallet,
} satisfies Translated<Words>;
