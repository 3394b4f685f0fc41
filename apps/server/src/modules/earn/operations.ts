import type { Locale } from '@exchange/core/locale.ts';
import { ROLES, whyOf, type Operation, type OperatorCall } from '../../platform/console/operation.ts';
import { previewIn } from '../../platform/console/preview.ts';
import { versionsOperation } from '../../platform/console/versions.ts';
import { fundingOperation, type Ledger } from '../ledger/index.ts';
import { rateWarnings, termsEvidence } from './evidence.ts';
import type { EarnDetail, EarnTerms } from './domain.ts';
import type { Earn } from './service.ts';

/** The parts of the operations that differ between kinds. */
interface KindOperations<Terms extends EarnTerms> {
  readonly kind: 'finance' | 'mining';
  /** The summaries of listing products, publishing one, and funding the payer account. */
  readonly list: string;
  readonly publish: string;
  readonly fund: string;
  /** The payer's name in the path of its funding operation. */
  readonly payer: string;
  readonly fields: NonNullable<Operation['fields']>;
  readonly termsOf: (call: OperatorCall) => Terms;
  /** The term in days, and the field that contains it. */
  readonly days: { readonly field: 'period' | 'cycle'; readonly of: (terms: Terms) => number };
  readonly present: (proposed: EarnDetail<Terms>, locale: Locale) => unknown;
}

/**
 * The operations on products of a kind: list them, publish one or a new version of its terms with a reason
 * (an end of the sale closes it), and fund the payer account from collected fees.
 */
export function earnOperations<Terms extends EarnTerms>(
  earn: Earn<Terms>,
  texts: KindOperations<Terms>,
  ledger: Pick<Ledger, 'balance'>,
): Operation[] {
  const { kind, fields, termsOf } = texts;
  const path = `/ops/${kind}/products/:code`;
  return [
    {
      method: 'GET',
      path: `/ops/${kind}/products`,
      summary: texts.list,
      roles: ROLES,
      run: async () => ({
        products: (await earn.listProducts(undefined)).map(({ product, status, remaining, isCovered }) => ({
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
      summary: texts.publish,
      roles: ['product'],
      fields,
      check: (call) => earn.previewTerms(termsOf(call)),
      secondPerson: { evidence: (call) => termsEvidence(earn, termsOf(call)) },
      warnings: (call) => rateWarnings(earn, texts.days, termsOf(call)),
      versionOf: async ({ parameters }) =>
        (await earn.listProducts(undefined)).find(({ product }) => product.code === parameters['code'])
          ?.product.version ?? 0,
      preview: async (call) => {
        const terms = termsOf(call);
        const proposed = await earn.previewTerms(terms);
        return previewIn(kind, { name: terms.name, source: terms.source }, (locale) =>
          texts.present(proposed, locale),
        );
      },
      run: (call) => earn.publish(termsOf(call), whyOf(call)),
    },
    fundingOperation(ledger, {
      path: `/ops/${kind}/${texts.payer}/:asset`,
      summary: texts.fund,
      accountOf: () => (kind === 'finance' ? 'interest' : 'mining'),
      fund: ({ asset, wanted }) => earn.fund(asset, wanted, 'fees'),
    }),
  ];
}
