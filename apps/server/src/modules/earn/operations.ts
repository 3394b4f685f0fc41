import type { Locale } from '@exchange/core/locale.ts';
import { ROLES, whyOf, type Operation, type OperatorCall } from '../../platform/console/operation.ts';
import { previewIn } from '../../platform/console/preview.ts';
import { versionsOperation } from '../../platform/console/versions.ts';
import { fundingOperation, type Ledger } from '../ledger/index.ts';
import { rateWarnings, termsEvidence } from './evidence.ts';
import type { EarnDetail, EarnTerms } from './domain.ts';
import type { Earn } from './service.ts';

/** What a kind says of its own operations. */
interface Own<Terms extends EarnTerms> {
  readonly kind: 'finance' | 'mining';
  /** Their summaries: of the list of products, of publishing one, and of funding what pays. */
  readonly list: string;
  readonly publish: string;
  readonly fund: string;
  /** What the payer is called in the path that funds it. */
  readonly payer: string;
  readonly fields: NonNullable<Operation['fields']>;
  readonly termsOf: (call: OperatorCall) => Terms;
  /** Its term in days, and the field that holds it. */
  readonly days: { readonly field: 'period' | 'cycle'; readonly of: (terms: Terms) => number };
  readonly present: (proposed: EarnDetail<Terms>, locale: Locale) => unknown;
}

/**
 * What an operator may do with products of a kind: see them, publish one or the next version of its terms (an end of
 * the sale closes it), with a reason, and fund the account that they are paid from with the house's fees.
 */
export function earnOperations<Terms extends EarnTerms>(
  earn: Earn<Terms>,
  own: Own<Terms>,
  ledger: Pick<Ledger, 'balance'>,
): Operation[] {
  const { kind, fields, termsOf } = own;
  const path = `/ops/${kind}/products/:code`;
  return [
    {
      method: 'GET',
      path: `/ops/${kind}/products`,
      summary: own.list,
      roles: ROLES,
      run: async () => ({
        products: (await earn.offered(undefined)).map(({ product, status, remaining, isCovered }) => ({
          ...product,
          status,
          remaining,
          isCovered,
        })),
      }),
    },
    versionsOperation(
      { path, fields },
      {
        summary: 'The published versions of a product’s terms, newest first.',
        read: ({ parameters }, which) => earn.versions(parameters['code'] ?? '', which),
      },
    ),
    {
      method: 'POST',
      path,
      summary: own.publish,
      roles: ['product'],
      fields,
      check: (call) => earn.proposed(termsOf(call)),
      secondPerson: { evidence: (call) => termsEvidence(earn, termsOf(call)) },
      warnings: (call) => rateWarnings(earn, own.days, termsOf(call)),
      versionOf: async ({ parameters }) =>
        (await earn.offered(undefined)).find(({ product }) => product.code === parameters['code'])?.product
          .version ?? 0,
      preview: async (call) => {
        const terms = termsOf(call);
        const proposed = await earn.proposed(terms);
        return previewIn(kind, { name: terms.name, source: terms.source }, (locale) =>
          own.present(proposed, locale),
        );
      },
      run: (call) => earn.publish(termsOf(call), whyOf(call)),
    },
    fundingOperation(ledger, {
      path: `/ops/${kind}/${own.payer}/:asset`,
      summary: own.fund,
      accountOf: () => (kind === 'finance' ? 'interest' : 'mining'),
      fund: ({ asset, wanted }) => earn.fund(asset, wanted, 'fees'),
    }),
  ];
}
