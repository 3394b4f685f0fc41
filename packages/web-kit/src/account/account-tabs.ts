import { ASSETS_PATTERN } from '../paths.ts';

/**
 * The account number in the URL, in tab order. External links use the numbers, so they must not change.
 */
const NUMBERS = { overview: '1', spot: '2', seconds: '3', products: '4' } as const;

export type AccountTab = keyof typeof NUMBERS;
export const ACCOUNT_TABS = Object.keys(NUMBERS) as AccountTab[];

/** The account tab for a number from the URL; `spot` when the number is unknown. */
export function accountTabOf(number: string | undefined): AccountTab {
  return ACCOUNT_TABS.find((tab) => NUMBERS[tab] === number) ?? 'spot';
}

/** The URL of the assets page with one account open. */
export function accountPath(tab: AccountTab): string {
  return ASSETS_PATTERN.replace(':account', NUMBERS[tab]);
}
