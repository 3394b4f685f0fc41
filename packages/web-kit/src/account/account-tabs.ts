import { ASSETS_PATTERN } from '../paths.ts';

/** The accounts by the number that stands in their address, in the order of their tabs; links in the wild name the second. */
const NUMBERS = { overview: '1', spot: '2', seconds: '3', products: '4' } as const;

export type AccountTab = keyof typeof NUMBERS;
export const ACCOUNT_TABS = Object.keys(NUMBERS) as AccountTab[];

/** The account that an address names; spot where it names none of them. */
export function accountTabOf(number: string | undefined): AccountTab {
  return ACCOUNT_TABS.find((tab) => NUMBERS[tab] === number) ?? 'spot';
}

/** The address of the assets with one account open. */
export function accountPath(tab: AccountTab): string {
  return ASSETS_PATTERN.replace(':account', NUMBERS[tab]);
}
