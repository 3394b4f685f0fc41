import {
  COUNTRIES,
  countryProblem,
  documentProblem,
  nameProblem,
  type KycField,
} from '@exchange/core/kyc.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import type { Locale } from '@exchange/core/locale.ts';

/**
 * The text fields of the identity verification form. The photos are not part of it, because each is uploaded as soon as
 * the user has selected it.
 */
export interface DetailsForm {
  readonly country: string;
  readonly name: string;
  readonly idCard: string;
}

export const NO_DETAILS: DetailsForm = { country: '', name: '', idCard: '' };

/**
 * Validation errors of the requested identity fields. If the country is not requested again, the document number is
 * validated with the country of the last submission (`stored`).
 */
export function detailsProblems(
  form: DetailsForm,
  requestedFields: readonly KycField[],
  stored: { readonly country: string },
): { readonly [Field in keyof DetailsForm]?: Refusal } {
  const country = requestedFields.includes('country') ? form.country : stored.country;
  const problems = {
    country: countryProblem(country),
    name: nameProblem(form.name),
    idCard: documentProblem(country, form.idCard),
  };
  return Object.fromEntries(
    Object.entries(problems).filter(
      (entry): entry is [string, Refusal] =>
        entry[1] !== undefined && requestedFields.includes(entry[0] as KycField),
    ),
  );
}

export type Step = 'details' | 'photos' | 'check';
const DETAILS: readonly KycField[] = ['country', 'name', 'idCard'];

/** The steps of the form that the requested identity fields need; the summary is the last step. */
export function stepsOf(requestedFields: readonly KycField[]): readonly Step[] {
  const hasDetails = requestedFields.some((field) => DETAILS.includes(field));
  const hasPhotos = requestedFields.some((field) => !DETAILS.includes(field));
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

/** All countries with their names in the given language, sorted by name with the rules of that language. */
export function countryOptions(locale: Locale): readonly CountryOption[] {
  const names = new Intl.DisplayNames([locale], { type: 'region' });
  const { compare } = new Intl.Collator(locale);
  return COUNTRIES.map((code) => ({ code, name: names.of(code) ?? code })).toSorted((a, b) =>
    compare(a.name, b.name),
  );
}

/** A country's name in the given language; empty when the country code is empty. */
export function countryName(code: string, locale: Locale): string {
  if (code === '') return '';
  return new Intl.DisplayNames([locale], { type: 'region' }).of(code) ?? code;
}

/**
 * Generates a fictitious person for demo mode. The document number is random, because a document number can verify only
 * one account.
 */
export function sampleDetails(random: () => number): DetailsForm {
  const number = String(Math.floor(random() * 1e9)).padStart(9, '0');
  return { country: 'US', name: 'Alex Sample', idCard: `SAMPLE-${number}` };
}
