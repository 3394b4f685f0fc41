import { ASSETS_PATTERN } from '../paths.ts';

/**
 * The accounts as tabs of the assets page, in the sequence of the tabs. The URL contains a tab's number. External links
 * use these numbers, so they must not change.
 */
const NUMBERS = { overview: '1', spot: '2', seconds: '3', products: '4' } as const;

export type AccountTab = keyof typeof NUMBERS;
export const ACCOUNT_TABS = Object.keys(NUMBERS) as AccountTab[];

/** Returns the account tab for a number from the URL; `spot` if the number is unknown. */
export function accountTabOf(number: string | undefined): AccountTab {
  return ACCOUNT_TABS.find((tab) => NUMBERS[tab] === number) ?? 'spot';
}

/** Returns the URL of the assets page with the tab of this account open. */
export function accountPath(tab: AccountTab): string {
  return ASSETS_PATTERN.replace(':account', NUMBERS[tab]);
}
