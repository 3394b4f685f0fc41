import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { depositAddress } from '@exchange/wire/deposit.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import { userInfo } from '@exchange/wire/user.ts';
import { SESSION_KEYS } from '@exchange/wire/browser.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decimal } from '@exchange/core/decimal.ts';
import { ADDRESS_WAIT_MS } from '@exchange/core/network.ts';
import { HOUR_MS, instant } from '@exchange/core/time.ts';
import { forwarderCode, REFUSING_CODE, withoutAnvil } from '../apps/server/testing/anvil.ts';
import { totpCode } from '../apps/server/src/platform/secrets/totp.ts';
import { isLongForm } from '../tools/test-form.ts';
import {
  chooseCoin,
  fillIn,
  selectSavedAddress,
  signInAsDemoTrader,
  waitForText,
} from './fixtures/actions.ts';
import {
  closeProfiles,
  DESKTOP,
  open,
  openPerson,
  PHONE,
  sharedBrowser,
  TIMEOUT_MS,
  type Person,
} from './fixtures/browser.ts';
import { openContext } from './fixtures/contexts.ts';
import { callerOf, demoToken, type Call } from './fixtures/calls.ts';
import {
  confirmPreview,
  confirmWith,
  faultsOfPage,
  goToArea,
  openAction,
  openConsole,
  previewWith,
  twoOperators,
} from './fixtures/console.ts';
import { codesFor, mailedCode } from './fixtures/mailbox.ts';
import { reportSteps, SHOTS } from './fixtures/steps.ts';
import {
  COLD,
  CONFIRMATIONS,
  ETHER,
  HOT,
  OUTSIDE,
  startTreasuryExchange,
  type TreasuryExchange,
} from './fixtures/treasury-exchange.ts';

const TRADE_PASSWORD = '258036';
const KEEPER_PASSWORD = 'correct horse battery staple';
const RETYPED = 'The amount again (for a payment also: the last four characters of its destination)';
const APPROVED = 'looked at it';
const TAKES_PICTURES = process.env['E2E_SHOTS'] !== undefined;
/** Width of a narrow phone in pixels. In the other languages, phone screens are photographed at this width too. */
const NARROW = 360;
const OTHER_LOCALES = ['ja-JP', 'ko-KR', 'zh-CN'] as const;
/** The receiving address of the withdrawals that succeed. */
const WALLET = '0x00000000000000000000000000000000000A11cE';
/**
 * A base fee in wei per unit of gas. It is above the limit up to which the exchange raises the fee of a transaction
 * automatically.
 */
const HIGH_BASE_FEE = 200_000_000_000n;
const LOW_BASE_FEE = 1_000_000_000n;
/** Matches errors in the server's log that the tests cause on purpose. */
const EXPECTED_ERRORS =
  /due_work\.item_failed|proofs\.not_covered|treasury\.coin_paused|withdrawals\.paused_after_restore/;
const RELOAD_MS = 2_000;
/** Milliseconds between two withdrawal requests of a user in the tests. The server requires five seconds. */
const REQUEST_EVERY_MS = 6_000;
/**
 * Time limit of a test in milliseconds. Tests wait for blocks, for fees that are raised after a minute, and for
 * restarts.
 */
const SCENE_MS = 15 * 60_000;

/**
 * Acceptance test of the treasury with a test chain and a signer process. A user on both sites and two operators on the
 * console act in the browser. Deposits are paid on the chain.
 */
describe.runIf(isLongForm && withoutAnvil() === undefined)('money that does not arrive as planned', () => {
  let world: TreasuryExchange;
  let browser: Browser;
  let user: Person;
  let phone: Person;
  let owner: Page;
  let approver: Page;
  let call: Call;
  let token: string;
  let email: string;
  /** The user's deposit address on the test chain. */
  let deposits: string;
  reportSteps();

  beforeAll(async () => {
    [world, browser] = await Promise.all([
      startTreasuryExchange(
        { hot: 3n * ETHER, cold: 40n * ETHER },
        { behindMs: ADDRESS_WAIT_MS + HOUR_MS, expectedErrors: EXPECTED_ERRORS },
      ),
      sharedBrowser(),
    ]);
    call = callerOf(world.exchange.origin);
    await openEverybody();
    ({ email } = (await call(userInfo.path, {}, token)) as { email: string });
    const { address } = (await call(depositAddress.path, { currency: 'ETH', network: 'ERC20' }, token)) as {
      address: string;
    };
    deposits = address;
    await saveAddress(await world.anvil.deploy(OUTSIDE, REFUSING_CODE), 'Vault contract');
    await saveAddress(WALLET, 'My wallet');
    // Until the restart the server's clock was more than a day slow. After it the clock is right, so the waiting time
    // of one day after saving an address has passed for all saved addresses.
    await world.exchange.end();
    await world.exchange.restart();
    await closeProfiles(browser);
    await openEverybody();
    await openConsoles();
    await deposit(20n);
  }, SCENE_MS);
  afterAll(async () => {
    await closeProfiles(browser);
    await world.stop();
  });

  /** Opens both sites for the user and signs the user in. */
  async function openEverybody(): Promise<void> {
    const { origin } = world.exchange;
    token = await demoToken(call);
    [user, phone] = [await openPerson(browser, origin, DESKTOP), await openPerson(browser, origin, PHONE)];
    await signInAsDemoTrader(user.page);
    await signInAsDemoTrader(phone.page);
  }

  /** Opens the console for both operators and signs them in. */
  async function openConsoles(): Promise<void> {
    [owner, approver] = await twoOperators(browser, world.exchange);
  }

  /** Mines blocks and waits until the exchange has read them. */
  const mine = async (blocks = CONFIRMATIONS + 1) => {
    const { anvil, exchange } = world;
    await anvil.mine(blocks);
    const height = await anvil.height();
    const hasRead = async () => {
      const metrics = await (await fetch(`${exchange.operator.origin}/metrics`)).text();
      return Number(/^chain_height{network="ERC20"} (\d+)/m.exec(metrics)?.[1] ?? 0) >= height;
    };
    await until(hasRead, () => Promise.resolve(), `the exchange at block ${height}`);
  };
  /**
   * Mines a block with a base fee in wei per unit of gas. Transactions that offer a lower fee stay in the node's memory
   * pool.
   */
  const mineAt = async (baseFee: bigint) => {
    await world.anvil.rpc('anvil_setNextBlockBaseFeePerGas', `0x${baseFee.toString(16)}`);
    await world.anvil.mine(1);
  };
  const available = async () => {
    const { list } = (await call(spotAssets.path, { currency: 'ETH' }, token)) as {
      list: readonly { availableCurrency: string }[];
    };
    return Decimal.parse(list[0]?.availableCurrency ?? '0');
  };
  const until = async (isReached: () => Promise<boolean>, act: () => Promise<unknown>, what: string) => {
    const deadline = Date.now() + 5 * TIMEOUT_MS;
    while (!(await isReached())) {
      if (Date.now() > deadline) throw new Error(`${what} is not reached`);
      await act();
      await pause(RELOAD_MS);
    }
  };

  /**
   * Takes screenshots of a screen of the sites if E2E_SHOTS is set: of its current state, and of its state in the other
   * languages after a reload, on a phone also at a smaller width.
   */
  const look = async (page: Page, name: string) => {
    if (!TAKES_PICTURES) return;
    await page.screenshot({ path: `${SHOTS}treasury/${name}.png`, fullPage: true });
    const { cookies, origins } = await page.context().storageState();
    const userAgent = await page.evaluate(() => navigator.userAgent);
    for (const locale of OTHER_LOCALES) {
      const context = await openContext(browser, {
        storageState: {
          cookies,
          origins: origins.map(({ origin, localStorage }) => ({
            origin,
            localStorage: [
              ...localStorage.filter(({ name: key }) => key !== SESSION_KEYS.locale),
              { name: SESSION_KEYS.locale, value: locale },
            ],
          })),
        },
        viewport: page.viewportSize(),
        userAgent,
        locale,
        colorScheme: 'dark',
        reducedMotion: 'reduce',
        timezoneId: 'UTC',
      });
      const translated = await context.newPage();
      await translated.goto(page.url());
      await pause(2 * RELOAD_MS);
      await translated.screenshot({ path: `${SHOTS}treasury/${name}-${locale}.png`, fullPage: true });
      const size = page.viewportSize();
      if (size?.width === PHONE.width) {
        await translated.setViewportSize({ ...size, width: NARROW });
        await translated.screenshot({
          path: `${SHOTS}treasury/${name}-${locale}-${NARROW}.png`,
          fullPage: true,
        });
      }
      await context.close();
    }
  };
  /** Returns the faults of a screen of the console that `faultsOfPage` finds. */
  const faultsOf = (page: Page, name: string) => faultsOfPage(page, `treasury-${name}`);

  const record = (page: Page, amount: string) =>
    page
      .getByRole('article')
      .filter({ hasText: new RegExp(`(?<![\\d.])${amount.replace('.', '\\.')}\\s*ETH`) });

  /**
   * Opens an area of the console, a list in it if `list` names one, and the first row that contains a text. Reloads the
   * list until there is such a row.
   */
  const openRow = async (page: Page, area: string, list: string | undefined, text: string) => {
    await goToArea(page, 'Overview');
    await goToArea(page, area);
    if (list !== undefined) await page.getByRole('button', { name: list, exact: true }).click();
    const row = page.getByRole('row').filter({ hasText: text }).first();
    await until(
      () => row.isVisible(),
      () => page.getByRole('button', { name: 'Reload' }).first().click(),
      `the row with ${text}`,
    );
    // Clicks a cell that contains no link, field or button, because a click on one of these would not open the row.
    const other = page.locator('a, input, button');
    await row.getByRole('cell').filter({ hasNot: other }).first().click();
  };

  /** Repeatedly calls `act` and reloads the list on the page of the operator `owner`, until this page shows a text. */
  const untilShown = (text: string, act: () => Promise<unknown> = () => Promise.resolve()) =>
    until(
      () => owner.getByText(text, { exact: false }).first().isVisible(),
      async () => {
        await act();
        await owner.getByRole('button', { name: 'Reload' }).first().click();
      },
      text,
    );

  const fill = async (form: Locator, fields: Readonly<Record<string, string>>) => {
    for (const [label, value] of Object.entries(fields)) {
      const field = form.getByLabel(label).first();
      const kind = await field.evaluate((element) =>
        element instanceof HTMLInputElement ? element.type : element.tagName,
      );
      if (kind === 'SELECT') await field.selectOption(value);
      else if (kind === 'checkbox') await field.check();
      else await field.fill(value);
    }
  };

  /**
   * The operator `owner` proposes an operation on the open row, and the operator `approver` sees its evidence and
   * approves it.
   */
  const byTwo = async (
    operation: string,
    reason: string,
    {
      fields = {},
      retyped,
      expected = [],
    }: {
      readonly fields?: Readonly<Record<string, string>>;
      readonly retyped?: string;
      /** Texts that the evidence of the operation must show to the approver. */
      readonly expected?: readonly (string | RegExp)[];
    } = {},
  ) => {
    const form = await openAction(owner, operation);
    await fill(form, fields);
    await previewWith(form, reason);
    const name = operation.toLowerCase().replaceAll(' ', '-');
    expect(await faultsOf(owner, `${name}-preview`)).toEqual([]);
    await confirmPreview(form);
    await waitForText(owner, 'Proposed.');
    await openRow(approver, 'Approvals', undefined, reason);
    const evidence = approver.getByRole('region', { name: 'What you decide on' });
    await evidence.waitFor();
    for (const text of expected) await evidence.getByText(text).first().waitFor();
    expect(await faultsOf(approver, name)).toEqual([]);
    const approval = await openAction(approver, 'Approve');
    if (retyped !== undefined) await approval.getByLabel(RETYPED).fill(retyped);
    await confirmWith(approval, APPROVED);
    await waitForText(approver, 'Done.');
  };

  /** The operator `owner` performs on the open row an operation that needs no second operator. */
  const byOne = async (operation: string, reason: string) => {
    await confirmWith(await openAction(owner, operation), reason);
    await waitForText(owner, 'Done.');
  };

  /** Requests another mailed code without waiting after the last code. Enters the code and the trade password. */
  const proveIdentity = async (form: Locator, context: BrowserContext) => {
    await world.exchange.endCodeWaits();
    const { length } = await codesFor(context, email);
    await form.getByRole('button', { name: 'Send code' }).click();
    await fillIn(form, {
      'Email code': await mailedCode(context, email, length + 1),
      'Trade password': TRADE_PASSWORD,
    });
  };

  /** Adds an address to the user's address book. */
  const saveAddress = async (address: string, remark: string) => {
    const { page, context } = user;
    await open(page, DESKTOP, paths.address);
    await page.getByRole('button', { name: 'Add address' }).first().click();
    const dialog = page.getByRole('dialog');
    await chooseCoin(page, 'Coin', 'ETH');
    await fillIn(dialog, { Address: address, 'Remark (optional)': remark });
    await proveIdentity(dialog, context);
    await dialog.getByRole('button', { name: 'Add address' }).click();
    await page.getByRole('row').filter({ hasText: remark }).waitFor();
  };

  /** Requests a withdrawal to a saved address. Afterwards the page shows the status of the withdrawal. */
  const withdraw = async ({ page, context }: Person, remark: string, amount: string) => {
    await open(page, page === user.page ? DESKTOP : PHONE, `${paths.withdraw}?coin=ETH`);
    await selectSavedAddress(page, remark);
    await page.getByLabel('Amount', { exact: true }).fill(amount);
    await page.getByRole('button', { name: 'Continue' }).click();
    const review = page.getByRole('dialog', { name: 'Review withdrawal' });
    await proveIdentity(review, context);
    await review.getByRole('button', { name: 'Confirm withdrawal' }).click();
    await page.getByRole('heading', { name: 'Withdrawal requested' }).waitFor();
  };

  /** Pays an amount of ether to the user's deposit address from outside, and waits until the deposit is credited. */
  const deposit = async (ether: bigint) => {
    await world.anvil.pay(OUTSIDE, deposits, ether * ETHER);
    await mine();
    await open(user.page, DESKTOP, `${paths.deposit}?coin=ETH`);
    await record(user.page, String(ether)).first().getByText('Completed').waitFor();
  };

  it(
    'WDR-1207 an operator charges the fees of the table on the page of the network, which the following figures have',
    async () => {
      await openRow(owner, 'Networks', undefined, 'Ethereum (ERC20)');
      await byOne('Charge the fees of the table', 'the node was replaced');
      await openRow(owner, 'Networks', undefined, 'Ethereum (ERC20)');
      await owner.getByRole('button', { name: 'Let fees follow the network' }).waitFor();
      expect(await owner.getByRole('button', { name: 'Charge the fees of the table' }).count()).toBe(0);
      expect(await faultsOf(owner, 'network-fees')).toEqual([]);
    },
    SCENE_MS,
  );

  it(
    'JRN-190 a withdrawal that its receiver refuses says so to user and operators, and is returned in full',
    async () => {
      const before = await available();
      await withdraw(user, 'Vault contract', '1');
      await openRow(owner, 'Withdrawals', undefined, '1 ETH');
      await byOne('Approve', 'a known address');
      const refused = record(user.page, '1').getByText('The network refuses the payment', { exact: false });
      await refused.first().waitFor();
      expect(await user.page.getByText('Due in').count()).toBe(0);
      await look(user.page, 'refused-1300');
      await openRow(owner, 'Withdrawals', undefined, 'refused');
      await untilShown('the receiver or the contract of the coin refuses the payment');
      expect(await owner.getByRole('button', { name: 'Raise the fee' }).count()).toBe(0);
      expect(await faultsOf(owner, 'refused')).toEqual([]);
      await byTwo('Return to owner', 'the vault takes no ether', {
        fields: { 'Why (owners read of sanctions and holds as a review)': 'networkRefused' },
        retyped: '1',
        expected: ['1 ETH', 'refused', 'the receiver or the contract of the coin refuses the payment'],
      });
      const returned = record(user.page, '1').filter({ hasText: 'The network refused it' });
      await returned.getByText('Returned in full, including the fee.').waitFor();
      await open(phone.page, PHONE, `${paths.withdraw}?coin=ETH`);
      await record(phone.page, '1').getByText('Returned in full, including the fee.').waitFor();
      await look(phone.page, 'returned-390');
      expect((await available()).toString()).toBe(before.toString());
    },
    SCENE_MS,
  );

  it(
    'JRN-191 a withdrawal with too low a fee is replaced by two operators and arrives once',
    async () => {
      await withdraw(phone, 'My wallet', '0.5');
      await openRow(owner, 'Withdrawals', undefined, '0.5 ETH');
      await byOne('Approve', 'a known address');
      await phone.page.getByText('Waiting for confirmations').waitFor();
      await mineAt(HIGH_BASE_FEE);
      await openRow(owner, 'Withdrawals', undefined, '0.5 ETH');
      await untilShown('automatic replacements end at 100 Gwei', () => mineAt(HIGH_BASE_FEE));
      expect(await faultsOf(owner, 'fee-bound')).toEqual([]);
      await look(phone.page, 'low-fee-390');
      await byTwo('Raise the fee', 'the base fee has risen', {
        fields: {
          'Highest fee (Gwei; Bitcoin family: units per virtual byte; XRP: drops)': '500',
        },
        expected: ['500', 'it waits with a fee of', 'sent'].map((text) => new RegExp(text)),
      });
      await mineAt(HIGH_BASE_FEE);
      await mineAt(LOW_BASE_FEE);
      await mine();
      await phone.page.getByRole('heading', { name: 'Completed' }).waitFor();
      await look(phone.page, 'replaced-390');
      expect(await world.anvil.balance(WALLET)).toBe((ETHER * 499n) / 1_000n);
    },
    SCENE_MS,
  );

  it(
    'JRN-192 a withdrawal that the hot wallet cannot pay is paid by hand and finished with its transaction',
    async () => {
      const before = await world.anvil.balance(WALLET);
      await withdraw(user, 'My wallet', '4');
      await openRow(owner, 'Withdrawals', undefined, '4 ETH');
      await byTwo('Approve with a second person', 'the owner was called back', {
        retyped: '4',
        expected: ['4 ETH', 'Earlier withdrawals to this address'],
      });
      await openRow(owner, 'Withdrawals', undefined, '4 ETH');
      await untilShown('which does not pay 3.999 ETH and the gas for it');
      await byTwo('Take out to pay by hand', 'the hot wallet is short', {
        retyped: '4',
        expected: ['which does not pay 3.999 ETH and the gas for it'],
      });
      await openRow(owner, 'Withdrawals', undefined, '4 ETH');
      await untilShown('May be paid by hand since');
      await user.page.getByText('Our team pays it from another wallet.', { exact: false }).first().waitFor();
      await look(user.page, 'by-hand-1300');
      const paid = await world.anvil.pay(COLD, WALLET, (ETHER * 3_999n) / 1_000n);
      await mine();
      await byTwo('Finish with a transaction', 'paid from the cold wallet', {
        fields: { 'Transaction that paid it': paid },
        retyped: '4',
        expected: [paid],
      });
      await user.page.getByRole('heading', { name: 'Completed' }).waitFor();
      await look(user.page, 'finished-1300');
      expect((await world.anvil.balance(WALLET)) - before).toBe((ETHER * 3_999n) / 1_000n);
    },
    SCENE_MS,
  );

  it(
    'JRN-193 a transfer from inside a contract is registered by its transaction and credited to its user',
    async () => {
      const forwarder = await world.anvil.deploy(OUTSIDE, forwarderCode(deposits));
      const txid = await world.anvil.pay(OUTSIDE, forwarder, (ETHER * 7n) / 10n);
      await mine();
      const before = await available();
      await goToArea(owner, 'Treasury');
      const form = await openAction(owner, 'Register a payment');
      await fill(form, {
        'Network (e.g. ERC20)': 'ERC20',
        'Coin, or contract of an unlisted token': 'ETH',
        Amount: '0.7',
        'Transaction ID, or number of the bank paper': txid,
        'Where it was seen': 'The user sent it from a smart account',
      });
      await confirmWith(form, 'ticket 4711');
      await waitForText(owner, 'Done.');
      await openRow(owner, 'Treasury', 'Arrivals', '0.7');
      expect(await faultsOf(owner, 'arrival')).toEqual([]);
      await byTwo('Credit to a user', 'ticket 4711 is right', {
        fields: { 'User (UID, email address or ID)': email },
        retyped: '0.7',
        expected: ['0.7 ETH', email, /which is no address of the exchange/],
      });
      await open(user.page, DESKTOP, `${paths.deposit}?coin=ETH`);
      await record(user.page, '0.7').getByText('Completed').waitFor();
      await look(user.page, 'credited-1300');
      expect((await available()).minus(before).toString()).toBe('0.7');
    },
    SCENE_MS,
  );

  it(
    'TRE-130 TRE-139 a transfer of a stranger is sent back by two operators, less the fee, and is in the history',
    async () => {
      await world.anvil.pay(OUTSIDE, HOT.address, (ETHER * 5n) / 4n);
      await mine();
      const before = await world.anvil.balance(OUTSIDE.address);
      await openRow(owner, 'Treasury', 'Arrivals', '1.25');
      await byTwo('Send back', 'no customer of ours', {
        retyped: '1.249',
        expected: ['The receiver is from', 'the network', '1.249 ETH'],
      });
      await openRow(owner, 'Treasury', 'Returns to senders', '1.249');
      expect(await faultsOf(owner, 'returns')).toEqual([]);
      // A job of the server that runs once a minute signs the returns of deposits to their
      // senders, so the test waits.
      await until(
        async () => (await world.anvil.balance(OUTSIDE.address)) > before,
        () => mine(1),
        'the return in a block',
      );
      await mine();
      await openRow(owner, 'Treasury', 'Closed returns to senders', '1.249');
      await untilShown('Done');
      expect((await world.anvil.balance(OUTSIDE.address)) - before).toBe((ETHER * 1_249n) / 1_000n);
    },
    SCENE_MS,
  );

  it(
    'JRN-194 capital that arrives in the wallet is assigned to the house, and earned fees that left are booked',
    async () => {
      await world.anvil.pay(OUTSIDE, HOT.address, 6n * ETHER);
      await mine();
      await openRow(owner, 'Treasury', 'Arrivals', '6 ETH');
      await byTwo('Assign as capital', 'the shareholders pay in', {
        fields: { 'Account of the house': 'fees' },
        retyped: '6',
        expected: ['6 ETH', 'On the chain'],
      });
      const paid = await world.anvil.pay(COLD, OUTSIDE.address, 2n * ETHER);
      await mine();
      await goToArea(owner, 'Treasury');
      await byTwo('Book a payment', 'fees of the quarter', {
        fields: {
          'Account of the house': 'fees',
          'Network (e.g. ERC20)': 'ERC20',
          'Coin, or contract of an unlisted token': 'ETH',
          Amount: '2',
          'Transaction ID, or number of the bank paper': paid,
        },
        retyped: '2',
        expected: ['2 ETH', 'The account holds'],
      });
      await openRow(owner, 'Treasury', 'Payments', 'fees of the quarter');
      expect(await faultsOf(owner, 'payments')).toEqual([]);
    },
    SCENE_MS,
  );

  it(
    'JRN-195 a correction beyond the balance leaves a debt, which its user sees and the next deposit pays',
    async () => {
      const had = await available();
      const amount = had.plus(Decimal.parse('1'));
      await openUser();
      await byTwo('Correct the balance', 'a deposit was credited twice', {
        fields: {
          'Credit or debit': 'debit',
          Coin: 'ETH',
          Amount: amount.toString(),
          'Account of the house': 'fees',
          'Case (number of the ticket)': '4712',
        },
        retyped: amount.toString(),
        expected: ['Becomes a debt', '4712'],
      });
      await open(user.page, DESKTOP, paths.assets);
      for (const [person, name] of [
        [user, '1300'],
        [phone, '390'],
      ] as const) {
        await open(person.page, person === user ? DESKTOP : PHONE, paths.assets);
        await waitForText(person.page, 'Open amounts you owe');
        const debts = person.page.getByRole('main');
        await debts.getByText(`1 ETH of ${amount.toString()} ETH`).waitFor();
        await debts.getByText('Your balance was corrected by more than was available.').waitFor();
        await debts.getByText('Your next deposits of the same coin pay this', { exact: false }).waitFor();
        await look(person.page, `debt-${name}`);
      }
      await openRow(owner, 'Treasury', 'Debts', '1 ETH');
      expect(await faultsOf(owner, 'debts')).toEqual([]);
      await deposit(21n);
      expect((await available()).toString()).toBe('20');
      await open(phone.page, PHONE, paths.messages);
      await phone.page.getByText('ETH').first().waitFor();
      await look(phone.page, 'messages-390');
      await openUser();
      await byTwo('Correct the balance', 'the deposit was right', {
        fields: {
          'Credit or debit': 'credit',
          Coin: 'ETH',
          Amount: amount.toString(),
          'Account of the house': 'fees',
          'Case (number of the ticket)': '4713',
        },
        retyped: amount.toString(),
        expected: ['4713'],
      });
      expect((await available()).toString()).toBe(amount.plus(Decimal.parse('20')).toString());
    },
    SCENE_MS,
  );

  it(
    'JRN-196 a coin of which coins are missing pauses by itself, and is sent again when two operators lift the pause',
    async () => {
      const { anvil, exchange } = world;
      const stolen = (await anvil.balance(deposits)) - ETHER;
      await anvil.payAs(deposits, OUTSIDE.address, stolen);
      await anvil.pay(COLD, OUTSIDE.address, 30n * ETHER);
      await mine();
      // The exchange compares its holdings with the chain at each start and every five minutes. The test restarts the
      // server, so that it need not wait for the comparison.
      await exchange.end();
      await exchange.restart();
      await openRow(owner, 'Treasury', 'Paused coins', 'ETH');
      expect(await faultsOf(owner, 'paused')).toEqual([]);
      for (const path of [paths.deposit, paths.withdraw]) {
        await open(phone.page, PHONE, `${path}?coin=ETH`);
        await phone.page
          .getByText('Sending of ETH is paused while we check our holdings.', { exact: false })
          .waitFor();
        expect(await phone.page.getByText('Completed within 24 hours').count()).toBe(0);
        await look(phone.page, `paused${path.replaceAll('/', '-')}-390`);
      }
      await withdraw(user, 'My wallet', '0.1');
      await openRow(owner, 'Withdrawals', undefined, '0.1 ETH');
      await byOne('Approve', 'a known address');
      await mine();
      await pause(3 * RELOAD_MS);
      const sending = user.page.getByRole('list', { name: 'Progress' }).locator('[aria-current="step"]');
      await sending.getByText('Sending to the network').waitFor();
      await sending.getByText('Sending is paused at the moment.', { exact: false }).waitFor();
      expect(await user.page.getByText('Due in').count()).toBe(0);
      await look(user.page, 'paused-1300');
      await anvil.pay(OUTSIDE, COLD.address, stolen + 30n * ETHER);
      await mine();
      await openRow(owner, 'Treasury', 'Paused coins', 'ETH');
      await byTwo('Lift the pause', 'the coins are back', { expected: ['Missing at the last comparison'] });
      await user.page.getByText('Waiting for confirmations').waitFor();
      await mine();
      await user.page.getByRole('heading', { name: 'Completed' }).waitFor();
    },
    SCENE_MS,
  );

  it(
    'JRN-197 after the secret is replaced, an invited operator signs in with password and authenticator as before',
    async () => {
      const { exchange } = world;
      const mail = 'keeper@example.com';
      await goToArea(owner, 'Operators');
      await byTwo('Invite somebody', 'keeps the treasury', {
        fields: { Name: 'keeper', 'Mail address': mail, finance: 'finance' },
      });
      const keeper = await openConsole(browser, exchange);
      await keeper.getByRole('button', { name: 'Set up an account with a one-time code' }).click();
      await fillIn(keeper.locator('form'), {
        'New password, at least 12 characters': KEEPER_PASSWORD,
      });
      await keeper.getByLabel('One-time code').fill(await mailedCode(user.context, mail, 1));
      await keeper.getByRole('button', { name: 'Set up', exact: true }).click();
      const key = await keeper.getByRole('status').locator('code').first().innerText();
      await signInWith(keeper, key);
      await exchange.run('rotate-secret');
      await exchange.end();
      await exchange.restart();
      await exchange.run('rotate-secret');
      await exchange.end();
      await exchange.restart();
      await keeper.context().clearCookies();
      await keeper.reload();
      await signInWith(keeper, key);
      await goToArea(keeper, 'Withdrawals');
      await closeProfiles(browser);
      await openEverybody();
      await openConsoles();
      expect(await exchange.run('rotate-secret')).toContain('The secret was replaced on');
      await requireBooks();
    },
    SCENE_MS,
  );

  it(
    'JRN-198 TRE-127 after a restore, what was paid meanwhile is followed, what was not is sent, and nothing is paid twice',
    async () => {
      const { anvil, exchange, signer } = world;
      const before = await anvil.balance(WALLET);
      const had = await available();
      // Each withdrawal is worth more than the limit up to which withdrawals need no review, so it waits for
      // the approval of an operator.
      await withdraw(user, 'My wallet', '0.4');
      await pause(REQUEST_EVERY_MS);
      await withdraw(user, 'My wallet', '0.35');
      const backups = mkdtempSync(join(tmpdir(), 'exchange-backups-'));
      const [backup = ''] = (await exchange.run('backup', backups)).split('\n');
      await openRow(owner, 'Withdrawals', undefined, '0.4 ETH');
      await byOne('Approve', 'a known address');
      await record(user.page, '0.4').first().getByText('confirmations').waitFor();
      await mine();
      await record(user.page, '0.4').first().getByText('Completed').waitFor();
      await exchange.end();
      const lost = exchange.folder;
      cpSync(join(lost, 'secret.key'), join(exchange.useNewFolder(), 'secret.key'));
      expect(await exchange.run('restore', backup)).toContain('everything adds up');
      expect(existsSync(join(exchange.folder, 'database/cluster'))).toBe(true);
      rmSync(backups, { recursive: true });
      await exchange.restart();
      const groups = await exchange.run('compare-restore', join(signer.folder, 'memory'));
      expect(groups).toMatch(/Paid and known: [1-9]/);
      expect(groups).toMatch(
        /Paid and unknown, to be settled in the console: 1\n.* 0\.399 ETH .*debit nothing/,
      );
      expect(groups).toMatch(/Not paid: 1\n.* not signed/);
      await closeProfiles(browser);
      await openEverybody();
      await openConsoles();
      await openRow(owner, 'Withdrawals', 'Restored payments', '0.399');
      expect(await faultsOf(owner, 'restored')).toEqual([]);
      await byTwo('Settle a restored payment', 'its withdrawal is pending', { expected: ['0.399'] });
      await openRow(owner, 'Withdrawals', 'Sending after a restore', '20');
      await byTwo('Resume sending', 'everything was compared');
      await open(user.page, DESKTOP, `${paths.withdraw}?coin=ETH`);
      await record(user.page, '0.4').first().getByText('Completed').waitFor();
      await openRow(owner, 'Withdrawals', undefined, '0.35 ETH');
      await byOne('Approve', 'a known address');
      await record(user.page, '0.35').first().getByText('confirmations').waitFor();
      await mine();
      await record(user.page, '0.35').first().getByText('Completed').waitFor();
      await look(user.page, 'restored-1300');
      expect((await anvil.balance(WALLET)) - before).toBe((ETHER * 748n) / 1_000n);
      expect(had.minus(await available()).toString()).toBe('0.75');
    },
    SCENE_MS,
  );

  it(
    'JRN-199 at the end the books add up, and a replay of the journal makes the same ones',
    requireBooks,
    SCENE_MS,
  );

  /**
   * Requires that an audit of the running exchange finds no fault, and that a replay from the beginning results in the
   * same state.
   */
  async function requireBooks(): Promise<void> {
    expect(await world.exchange.run('audit')).toContain('Everything adds up.');
    expect(await world.exchange.run('replay')).toContain('The replay gives the same state.');
  }

  /** Opens, as the owner, the console's page about the user whose email address is `email`. */
  async function openUser(): Promise<void> {
    await openRow(owner, 'Users', undefined, email);
    await owner.getByRole('link', { name: 'Open their page' }).click();
    await owner.getByRole('group', { name: 'Actions' }).waitFor();
  }

  /** Signs the invited operator in with a code that is computed from the authenticator's key. */
  async function signInWith(keeper: Page, key: string): Promise<void> {
    const name = keeper.getByLabel('Name', { exact: true });
    await name.waitFor();
    await until(
      async () => (await name.count()) === 0,
      async () => {
        await name.fill('keeper');
        await keeper.getByLabel('Password', { exact: true }).fill(KEEPER_PASSWORD);
        // The server accepts an authenticator code only once. Until the next code is valid, up to 30 seconds, the
        // sign-in is repeated.
        await keeper.getByLabel('Authenticator or recovery code').fill(totpCode(key, instant(Date.now())));
        const button = { name: 'Sign in', exact: true };
        await keeper.getByRole('button', button).click();
        // The form is sent again only after the server's answer, because an accepted sign-in removes it.
        await keeper.getByRole('button', { ...button, disabled: true }).waitFor({ state: 'detached' });
        await pause(5 * RELOAD_MS);
      },
      'the sign-in of the invited operator',
    );
  }
});
