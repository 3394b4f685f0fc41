import {
  COUNTRIES,
  countryProblem,
  documentProblem,
  nameProblem,
  type KycField,
} from '@exchange/core/kyc.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import type { Locale } from '@exchange/core/locale.ts';

/** What is typed. The pictures are beside it: they are on the server as soon as they are chosen. */
export interface DetailsForm {
  readonly country: string;
  readonly name: string;
  readonly idCard: string;
}

export const NO_DETAILS: DetailsForm = { country: '', name: '', idCard: '' };

/** What is wrong with the details, of the fields that are asked; `country` is that of the last submission where it is kept. */
export function detailsProblems(
  form: DetailsForm,
  wanted: readonly KycField[],
  kept: { readonly country: string },
): { readonly [Field in keyof DetailsForm]?: Refusal } {
  const country = wanted.includes('country') ? form.country : kept.country;
  const all = {
    country: countryProblem(country),
    name: nameProblem(form.name),
    idCard: documentProblem(country, form.idCard),
  };
  return Object.fromEntries(
    Object.entries(all).filter(
      (entry): entry is [string, Refusal] => entry[1] !== undefined && wanted.includes(entry[0] as KycField),
    ),
  );
}

export type Step = 'details' | 'photos' | 'check';
const DETAILS: readonly KycField[] = ['country', 'name', 'idCard'];

/** The steps in which the wanted fields are asked, and the last look at them. */
export function stepsOf(wanted: readonly KycField[]): readonly Step[] {
  const hasDetails = wanted.some((field) => DETAILS.includes(field));
  const hasPhotos = wanted.some((field) => !DETAILS.includes(field));
  return [
    ...(hasDetails ? (['details'] as const) : []),
    ...(hasPhotos ? (['photos'] as const) : []),
    'check',
  ];
}

export interface CountryOption {
  readonly code: string;
  readonly name: string;
}

/** Every country in the reader's language and its order. */
export function countryOptions(locale: Locale): readonly CountryOption[] {
  const names = new Intl.DisplayNames([locale], { type: 'region' });
  const { compare } = new Intl.Collator(locale);
  return COUNTRIES.map((code) => ({ code, name: names.of(code) ?? code })).toSorted((one, other) =>
    compare(one.name, other.name),
  );
}

/** A country's name in the reader's language; empty for none. */
export function countryName(code: string, locale: Locale): string {
  if (code === '') return '';
  return new Intl.DisplayNames([locale], { type: 'region' }).of(code) ?? code;
}

/** A made-up person for a demo; the number is another every time, because one document verifies one account. */
export function sampleDetails(random: () => number): DetailsForm {
  const number = String(Math.floor(random() * 1e9)).padStart(9, '0');
  return { country: 'US', name: 'Alex Sample', idCard: `SAMPLE-${number}` };
}
