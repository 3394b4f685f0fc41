import { convertRecords } from '@exchange/wire/convert.ts';
import { financeOrders } from '@exchange/wire/finance.ts';
import { fundRecords } from '@exchange/wire/fund.ts';
import { miningOrders } from '@exchange/wire/mining.ts';
import { secondsOrders } from '@exchange/wire/seconds.ts';
import { orderRecords } from '@exchange/wire/spot.ts';
import { withdrawalRecords } from '@exchange/wire/withdrawal.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import type { Page } from 'playwright-core';
import { fillIn, PASSWORD } from '../fixtures/actions.ts';
import type { Viewport } from '../fixtures/browser.ts';
import { codesFor } from '../fixtures/mailbox.ts';
import { follow, hasText, isVisible, type Journey, type Step } from './journey.ts';

const TRADE_PASSWORD = '258036';
const DEMO_MAIL = 'demo.trader@amethyst.example';

/** Paths of the screens that the journeys open, for each site. Both sites have the same paths. */
const PLACES = {
  desktop: {
    home: paths.home,
    market: paths.market,
    trade: paths.trade,
    finance: paths.finance,
    mining: paths.mining,
    fund: paths.fund,
    fundRecord: paths.fundRecord,
    subscribe: paths.subscribe,
    seconds: paths.seconds,
    convert: paths.convert,
    deposit: paths.deposit,
    withdraw: paths.withdraw,
    assets: paths.assets,
    address: paths.address,
    messages: paths.messages,
    invite: paths.invite,
    security: paths.security,
    login: paths.login,
    register: paths.register,
    forget: paths.forget,
  },
  mobile: {
    home: paths.home,
    market: paths.market,
    trade: paths.trade,
    finance: paths.finance,
    mining: paths.mining,
    fund: paths.fund,
    fundRecord: paths.fundRecord,
    subscribe: paths.subscribe,
    seconds: paths.seconds,
    convert: paths.convert,
    deposit: paths.deposit,
    withdraw: paths.withdraw,
    assets: paths.assets,
    address: paths.address,
    messages: paths.messages,
    invite: paths.invite,
    security: paths.security,
    login: paths.login,
    register: paths.register,
    forget: paths.forget,
  },
} as const;

/**
 * Matches the text with which the page shows that the server has refused another code: after a code was
 * mailed, the server sends no other one to the address for at least a minute.
 */
const STILL_VALID = /^The code we just emailed is still valid/;

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');

/** Returns the step that requests a code by email with the button of the open form. */
function mailedCodeStep(email: string, prepare?: Step['prepare']): Step {
  let before = 0;
  return {
    name: 'gets a code',
    prepare: async (person) => {
      before = (await codesFor(person.context, email)).length;
      await prepare?.(person);
    },
    target: ({ page }) => button(page, 'Send code'),
    // If a code of an earlier journey was mailed too recently, the server sends no other one. The step is then done as
    // well.
    isDone: async ({ context, page }) =>
      (await codesFor(context, email)).length > before || hasText(page, STILL_VALID),
  };
}

/** Returns the journey of buying a product from a list. Fixed-term products and mining use the same dialog. */
function purchase(list: string, orders: string, product: string, amount: string): Journey {
  return {
    name: `buys ${product}`,
    start: list,
    isMember: true,
    counted: [{ path: orders, fields: { status: '1' } }],
    steps: [
      {
        name: 'opens the purchase',
        target: ({ page }) => button(page, `Buy ${product}`),
        isDone: async ({ page }) => isVisible(dialog(page).getByLabel('Amount', { exact: true })),
      },
      {
        name: 'buys',
        isKeyed: true,
        prepare: async ({ page }) => {
          await fillIn(dialog(page), {
            Amount: amount,
            'Trade password': TRADE_PASSWORD,
          });
          await dialog(page).getByRole('checkbox').check();
        },
        target: ({ page }) => dialog(page).getByRole('button', { name: 'Buy', exact: true }),
        isDone: async ({ page }) => isVisible(page.getByRole('link', { name: 'See my order' })),
      },
      {
        name: 'opens the order',
        target: ({ page }) => page.getByRole('link', { name: 'See my order' }),
        isDone: async ({ page }) =>
          isVisible(
            page.getByRole('dialog', { name: 'Order details' }).getByText(/^(?:Interest|Income) starts/),
          ),
      },
    ],
  };
}

/** Returns the journey of placing and cancelling a resting order. */
function restingOrder(trade: string): Journey {
  const form = (page: Page) => page.locator('form').filter({ has: button(page, 'Buy ADA') });
  const cancel = (page: Page) => page.getByRole('button', { name: /^Cancel Buy order/ });
  return {
    name: 'places and cancels an order',
    start: `${trade}?symbol=ADA_USDT`,
    isMember: true,
    counted: [{ path: orderRecords.path, fields: { entryStatus: '2', baseCoin: 'ADA' } }],
    steps: [
      {
        name: 'places the order',
        isKeyed: true,
        prepare: async ({ page }) => {
          // Waits until the best price is shown. The price 0.65 is so far below it that the order rests.
          await page
            .getByRole('button', { name: /^(?:Bid|Use price) / })
            .first()
            .waitFor();
          await fillIn(form(page), {
            Price: '0.65',
            Amount: '20',
          });
        },
        target: ({ page }) => button(page, 'Buy ADA'),
        isDone: async ({ page }) => isVisible(cancel(page)),
      },
      {
        name: 'cancels the order',
        target: ({ page }) => cancel(page),
        isDone: async ({ page }) => !(await isVisible(cancel(page))),
      },
    ],
  };
}

/** Returns the journey of buying and selling units of a fund. */
function fundUnits(site: Viewport['site'], list: string, record: string): Journey {
  const isPhone = site === 'mobile';
  const form = (page: Page) => (isPhone ? dialog(page) : page.getByRole('region', { name: 'Buy Payments' }));
  const held = (page: Page) => page.getByRole('article', { name: 'Payments' });
  const openTicket: Step = {
    name: 'opens the ticket',
    target: ({ page }) => button(page, 'Buy'),
    isDone: async ({ page }) => isVisible(form(page).getByLabel('Margin', { exact: true })),
  };
  return {
    name: 'buys and sells units of a fund',
    start: list,
    isMember: true,
    counted: [{ path: fundRecords.path, fields: { status: '2' } }],
    steps: [
      {
        name: 'opens the fund',
        target: ({ page }) => held(page).getByRole('link', { name: 'View fund' }),
        isDone: async ({ page }) => isVisible(page.getByRole('img', { name: /^Unit value over time/ })),
      },
      ...(isPhone ? [openTicket] : []),
      {
        name: 'buys',
        isKeyed: true,
        prepare: async ({ page }) =>
          fillIn(form(page), {
            Margin: '120',
            'Trade password': TRADE_PASSWORD,
          }),
        target: ({ page }) => form(page).getByRole('button', { name: 'Buy', exact: true }),
        isDone: async ({ page }) =>
          new URL(page.url()).pathname.endsWith(record) &&
          (await isVisible(held(page).getByText('Average value'))),
      },
      {
        name: 'opens the sale',
        target: ({ page }) => held(page).getByRole('button', { name: 'Sell' }),
        isDone: async ({ page }) => isVisible(dialog(page).getByText('100%', { exact: true })),
      },
      {
        name: 'sells all',
        isKeyed: true,
        prepare: async ({ page }) => dialog(page).getByText('100%', { exact: true }).click(),
        target: ({ page }) => dialog(page).getByRole('button', { name: 'Sell', exact: true }),
        isDone: async ({ page }) => !(await isVisible(dialog(page))) && !(await isVisible(held(page))),
      },
    ],
  };
}

function commitment(subscribe: string): Journey {
  const panel = (page: Page) => page.getByRole('region', { name: 'My commitment' });
  return {
    name: 'raises a commitment',
    start: subscribe,
    isMember: true,
    steps: [
      {
        name: 'opens the project',
        target: ({ page }) => page.getByRole('link', { name: 'Participate' }),
        isDone: async ({ page }) => isVisible(panel(page).getByLabel('Amount', { exact: true })),
      },
      {
        name: 'commits',
        isKeyed: true,
        prepare: async ({ page }) => {
          await fillIn(panel(page), {
            Amount: '10',
            'Trade password': TRADE_PASSWORD,
          });
          await panel(page).getByRole('checkbox').check();
        },
        target: ({ page }) => panel(page).getByRole('button', { name: 'Commit', exact: true }),
        isDone: async ({ page }) => hasText(page, /Your commitment is now [\d,.]+ USDT\./),
      },
    ],
  };
}

function positionOfSeconds(seconds: string): Journey {
  const sheet = (page: Page) => page.getByRole('dialog', { name: 'Transfer' });
  return {
    name: 'moves money and opens a position',
    start: `${seconds}?symbol=xrp_usdt`,
    isMember: true,
    counted: ['0', '1'].map((entryStatus) => ({
      path: secondsOrders.path,
      fields: {
        entryStatus,
        baseCoin: 'XRP',
      },
    })),
    steps: [
      {
        name: 'opens the transfer',
        target: ({ page }) => button(page, 'Transfer'),
        isDone: async ({ page }) => isVisible(sheet(page).getByLabel('Amount', { exact: true })),
      },
      {
        name: 'transfers',
        isKeyed: true,
        prepare: async ({ page }) => sheet(page).getByLabel('Amount', { exact: true }).fill('12'),
        target: ({ page }) => sheet(page).getByRole('button', { name: 'Transfer', exact: true }),
        isDone: async ({ page }) => !(await isVisible(sheet(page))),
      },
      {
        name: 'opens a position',
        isKeyed: true,
        prepare: async ({ page }) => page.getByLabel('Amount', { exact: true }).fill('10'),
        target: ({ page }) => page.getByRole('button', { name: /^Up/ }),
        isDone: async ({ page }) => hasText(page, 'Position opened'),
      },
    ],
  };
}

function conversion(convert: string): Journey {
  return {
    name: 'converts',
    start: convert,
    isMember: true,
    counted: [{ path: convertRecords.path, fields: {} }],
    steps: [
      {
        name: 'gets a quote',
        prepare: async ({ page }) => page.getByLabel('From', { exact: true }).fill('15'),
        target: ({ page }) => page.getByRole('button', { name: /^(?:Get|Refresh) quote$/ }),
        isDone: async ({ page }) => isVisible(page.getByText(/^Quote valid for \d+ s$/)),
      },
      {
        name: 'accepts it',
        isKeyed: true,
        target: ({ page }) => page.getByRole('button', { name: /^(?:Convert|Get quote|Refresh quote)$/ }),
        isDone: async ({ page }) => isVisible(page.getByRole('heading', { name: 'Conversion complete' })),
      },
    ],
  };
}

function withdrawal(withdraw: string): Journey {
  const review = (page: Page) => page.getByRole('dialog', { name: 'Review withdrawal' });
  return {
    name: 'withdraws',
    start: `${withdraw}?coin=BTC`,
    isMember: true,
    counted: [{ path: withdrawalRecords.path, fields: { currency: 'BTC' } }],
    steps: [
      {
        name: 'opens the address book',
        target: ({ page }) => button(page, 'Address book'),
        isDone: async ({ page }) => isVisible(page.getByRole('option').filter({ hasText: 'Cold wallet' })),
      },
      {
        name: 'reviews',
        prepare: async ({ page }) => {
          await page.getByRole('option').filter({ hasText: 'Cold wallet' }).click();
          await page.getByLabel('Amount', { exact: true }).fill('0.0021');
        },
        target: ({ page }) => button(page, 'Continue'),
        isDone: async ({ page }) => isVisible(review(page).getByRole('button', { name: 'Send code' })),
      },
      mailedCodeStep(DEMO_MAIL),
      {
        name: 'confirms',
        isKeyed: true,
        prepare: async ({ page, context }) =>
          fillIn(review(page), {
            'Email code': (await codesFor(context, DEMO_MAIL))[0]!,
            'Trade password': TRADE_PASSWORD,
          }),
        target: ({ page }) => review(page).getByRole('button', { name: 'Confirm withdrawal' }),
        isDone: async ({ page }) => isVisible(page.getByRole('heading', { name: 'Withdrawal requested' })),
      },
    ],
  };
}

function depositAddress(deposit: string): Journey {
  return {
    name: 'looks up an address for deposits',
    start: deposit,
    isMember: true,
    steps: [
      {
        name: 'opens the coins',
        target: ({ page }) => page.getByRole('button', { name: /^Coin: / }),
        isDone: async ({ page }) => isVisible(page.getByRole('option', { name: /^BTC\b/ })),
      },
      {
        name: 'chooses a coin',
        target: ({ page }) => page.getByRole('option', { name: /^BTC\b/ }),
        isDone: async ({ page }) =>
          isVisible(page.getByRole('img', { name: /^QR code of your BTC address on / })),
      },
    ],
  };
}

function newAccount(register: string, email: string): Journey {
  return {
    name: 'opens an account and takes play money',
    start: register,
    isMember: false,
    steps: [
      mailedCodeStep(email, async ({ page }) => page.getByLabel('Email', { exact: true }).fill(email)),
      {
        name: 'registers',
        prepare: async ({ page, context }) => {
          await fillIn(page.locator('main'), {
            'Email code': (await codesFor(context, email))[0]!,
            Password: PASSWORD,
            'Confirm password': PASSWORD,
          });
          await page.getByRole('checkbox').check();
        },
        target: ({ page }) => button(page, 'Create account'),
        isDone: async ({ page }) => isVisible(page.getByRole('heading', { level: 1, name: 'Get started' })),
      },
      {
        name: 'takes play money',
        target: ({ page }) => button(page, 'Get demo funds'),
        isDone: async ({ page }) => isVisible(page.getByText('1 of 4 done')),
      },
    ],
  };
}

function lookingAround(site: Viewport['site'], places: (typeof PLACES)[Viewport['site']]): Journey {
  return {
    name: 'looks around',
    start: places.home,
    isMember: true,
    steps: [
      follow(site, places.market, /Markets?/),
      follow(site, places.trade, /./),
      follow(site, places.assets, /./),
      follow(site, places.home, /./),
    ],
  };
}

function messages(list: string): Journey {
  return {
    name: 'reads messages',
    start: list,
    isMember: true,
    steps: [
      {
        name: 'marks all as read',
        target: ({ page }) => button(page, 'Mark all as read'),
        // If the response was lost, no confirmation appears. The page then shows all messages as read and
        // disables the button. The step is then done as well.
        isDone: async ({ page }) =>
          (await hasText(page, 'All messages marked as read.')) ||
          button(page, 'Mark all as read').isDisabled(),
      },
      {
        name: 'opens one',
        target: ({ page }) => page.locator('main a[href*="msg-detail"]'),
        isDone: async ({ page }) =>
          page.url().includes('msg-detail') && (await isVisible(page.locator('main article'))),
      },
    ],
  };
}

function resetPassword(forget: string, email: string): Journey {
  return {
    name: 'asks for a new password',
    start: forget,
    isMember: false,
    steps: [
      {
        name: 'gets a code',
        prepare: async ({ page }) => page.getByLabel('Email', { exact: true }).fill(email),
        target: ({ page }) => button(page, 'Send code'),
        // If the response was lost, the page requests the code again and shows that the first code was mailed too
        // recently. The step is then done as well.
        isDone: async ({ page }) =>
          hasText(page, /^(?:If this address can receive it|The code we just emailed is still valid)/),
      },
    ],
  };
}

/** Returns every journey of a site. `mark` makes the email addresses of new users unique for each run. */
export function journeysOf(site: Viewport['site'], mark: string): readonly Journey[] {
  const places = PLACES[site];
  const email = `${site}-${mark}@example.com`;
  return [
    restingOrder(places.trade),
    purchase(places.finance, financeOrders.path, 'USDT 30 days', '100'),
    purchase(places.mining, miningOrders.path, 'BTC mining 30 days', '0.01'),
    fundUnits(site, places.fund, places.fundRecord),
    commitment(places.subscribe),
    positionOfSeconds(places.seconds),
    conversion(places.convert),
    withdrawal(places.withdraw),
    depositAddress(places.deposit),
    newAccount(places.register, email),
    resetPassword(places.forget, email),
    messages(places.messages),
    lookingAround(site, places),
  ];
}
