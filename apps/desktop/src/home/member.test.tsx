import { rememberStartDone } from '@exchange/web-kit/start/start-done.ts';
import { startSession } from '@exchange/web-kit/session/session-store.ts';
import { holdings } from '@exchange/wire/portfolio.ts';
import { convertCoins } from '@exchange/wire/convert.ts';
import { networkFees } from '@exchange/wire/deposit.ts';
import { fundList } from '@exchange/wire/fund.ts';
import { getVerify } from '@exchange/wire/kyc.ts';
import { secondsFullConfig } from '@exchange/wire/seconds.ts';
import { feeRates, feeTiers, orderRecords } from '@exchange/wire/spot.ts';
import { userInfo } from '@exchange/wire/user.ts';
import { FIRST_TRADE } from '@exchange/web-kit/market/trade-paths.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { draw, setUpFixtures } from '../../testing/fixtures.tsx';
import FeesScreen from '../about/fees-screen.tsx';
import StartScreen from '../setting/start-screen.tsx';
import VerifyScreen from '../setting/verify-screen.tsx';
import { TopBar } from '../shell/top-bar.tsx';
import MemberPanel from './member-panel.tsx';

const { answers } = setUpFixtures();

const INFO = { email: 'a@b.example', uid: '1', purchase: '1', kycStatus: 0, assetsPwd: 0, googleBind: 0 };
const ORDER = {
  id: 'o1',
  symbol: 'btcusdt',
  baseCoin: 'BTC',
  quoteCoin: 'USDT',
  tradeType: 1,
  orderType: 'limit',
  price: '95000',
  stopPrice: '',
  stopStatus: '',
  groupId: '',
  amount: '0.001',
  total: '',
  filledAmount: '0',
  status: 0,
  createTime: 1,
  updateTime: 1,
};
const page = (list: readonly object[]) => ({
  list,
  totalRow: list.length,
  sum: list.length,
  pageNo: 1,
  pageSize: 10,
});

/**
 * Signs in a user with 1,234.5 USDT, one open order, and no trade. `more` replaces the mock server's responses for
 * request paths that end with its keys.
 */
function aMember(info: object = INFO, more: Readonly<Record<string, object>> = {}) {
  answers(({ path, fields }) => {
    const override = Object.entries(more).find(([end]) => path.endsWith(end))?.[1];
    if (override !== undefined) return override;
    if (path.endsWith(holdings.path))
      return { list: [], time: 1, total: '1234.5', totalBtc: '0.01', last: null };
    if (path.endsWith(userInfo.path)) return info;
    if (path.endsWith(orderRecords.path)) return page(fields.get('entryStatus') === '0' ? [ORDER] : []);
    return page([]);
  });
  startSession({ userId: 'u', token: 't', email: 'a@b.example' });
}

beforeEach(() => localStorage.removeItem('start-done'));

describe('screens of a member', () => {
  it('WEB-975 the home page shows the balance and the remaining first steps', async () => {
    aMember();
    draw(<MemberPanel />, '/main');
    const total = await screen.findByText('USDT', { selector: 'h1 + p *' });
    expect(total.parentElement?.textContent).toBe('1,234.50\u00A0USDT');
    const note = await screen.findByRole('link', { name: /Get started/ });
    expect(note.textContent).toContain('1 of 4 done');
    expect(note.getAttribute('href')).toBe('/setting/start');
    expect(screen.queryByRole('link', { name: /sign up|Create/i })).toBeNull();
  });

  it('WEB-975 an open order that waits for a price shows its condition', async () => {
    const stop = {
      ...ORDER,
      id: 'o2',
      orderType: 'stopMarket',
      price: '',
      stopPrice: '90000',
      stopStatus: 'waiting',
      direction: 'lte',
    };
    aMember(INFO, { [orderRecords.path]: page([ORDER, stop]) });
    draw(<MemberPanel />, '/main');
    const links = await screen.findAllByRole('link', { name: /BTC\/USDT/ });
    const texts = links.map(({ textContent }) => textContent);
    expect(texts[0]).toMatch(/0\.001.BTC95,000\.0+$/);
    expect(texts[1]).toMatch(/0\.001.BTC≤ 90,000\.0+$/);
  });

  it('WEB-976 the first trade opens a market order, and the steps stay in the menu until complete', async () => {
    aMember();
    const user = draw(<StartScreen />, '/setting/start');
    const trade = await screen.findByRole('link', { name: 'Trade' });
    expect(trade.getAttribute('href')).toBe(FIRST_TRADE);
    expect(FIRST_TRADE).toBe('/trade?symbol=BTC_USDT&kind=market');
    draw(<TopBar />, '/market');
    await user.click(screen.getByRole('button', { name: 'Account' }));
    expect(await screen.findByRole('link', { name: 'Get started' })).toBeDefined();
  });

  it('WEB-976 the menu hides the steps once they are complete', async () => {
    aMember();
    rememberStartDone('u');
    const user = draw(<TopBar />, '/market');
    await user.click(screen.getByRole('button', { name: 'Account' }));
    expect(await screen.findByRole('link', { name: 'Account settings' })).toBeDefined();
    expect(screen.queryByRole('link', { name: 'Get started' })).toBeNull();
  });

  const VERIFIED = {
    status: 2,
    fields: [],
    name: 'A***',
    idCard: '1***',
    country: 'CH',
    reasons: [],
    note: '',
    pretended: 0,
    photosKeptDays: 180,
    limits: { day: '50000', month: '750000' },
    verifiedLimits: { day: '50000', month: '750000' },
  };

  it('WEB-977 after the verification the user sets the trade password and returns to the product', async () => {
    aMember({ ...INFO, kycStatus: 2 }, { [getVerify.path]: VERIFIED });
    draw(<VerifyScreen />, '/setting/verify?from=%2Ffinance%2Flist%3Fid%3D7');
    const back = await screen.findByRole('link', { name: 'Back to where you were' });
    expect(back.getAttribute('href')).toBe('/finance/list?id=7');
    expect(await screen.findByRole('heading', { name: 'Next: set your trade password' })).toBeDefined();
  });

  it('WEB-977 ignores a return path to another site and does not ask for an existing password again', async () => {
    aMember({ ...INFO, kycStatus: 2, assetsPwd: 1 }, { [getVerify.path]: VERIFIED });
    draw(<VerifyScreen />, '/setting/verify?from=%2F%2Fevil.example');
    await screen.findByRole('heading', { name: 'Your identity is verified' });
    expect(screen.queryByRole('link', { name: 'Back to where you were' })).toBeNull();
    expect(screen.queryByRole('heading', { name: 'Next: set your trade password' })).toBeNull();
  });
});

describe('the fee page', () => {
  it('WEB-974 lists the fee tiers with the own tier highlighted, every network and the products', async () => {
    const network = {
      currency: 'USDT',
      network: 'TRC20',
      name: 'Tron (TRC20)',
      depositFee: '0',
      minDeposit: '1',
      confirmations: 20,
      withdrawFee: '1.5',
      minWithdrawal: '10',
      maxWithdrawal: '100000',
      status: 1,
    };
    aMember(INFO, {
      [feeTiers.path]: {
        list: [
          { tier: 0, volume: '0', maker: '0.001', taker: '0.001' },
          { tier: 1, volume: '50000', maker: '0.0009', taker: '0.001' },
        ],
      },
      [feeRates.path]: { tier: 1, maker: '0.0009', taker: '0.001', volume30d: '61000' },
      [networkFees.path]: { list: [network, { ...network, network: 'ERC20', name: 'Ethereum (ERC20)' }] },
      [convertCoins.path]: { list: [], spread: '0.001', feeRate: '0.002', min: '1', max: '50000' },
      [secondsFullConfig.path]: { feeRate: '0.01', seconds: [] },
      [fundList.path]: page([
        { id: 'f', name: 'Majors', manageRate: '0.0001', financeRate: '0.0005', liqFee: '0.005' },
      ]),
    });
    const user = draw(<FeesScreen />, '/about/fees');
    const ownRow = await screen.findByRole('row', { name: /^1 Yours/ });
    expect(ownRow.textContent).toMatch(/50,000.*0\.090%.*0\.100%/);
    const tron = await screen.findByRole('row', { name: /Tron/ });
    expect(tron.textContent).toMatch(/1\.5.*10.*Free.*1.*20/);
    expect(await screen.findByText('Fund · Majors')).toBeDefined();
    const convert = screen.getByText('Convert').closest('div')!;
    expect(within(convert).getByText('0.200%')).toBeDefined();
    await user.type(screen.getByRole('searchbox'), 'ｅｒｃ');
    await waitFor(() => expect(screen.queryByRole('row', { name: /Tron/ })).toBeNull());
    expect(screen.getByRole('row', { name: /Ethereum/ })).toBeDefined();
  });
});
