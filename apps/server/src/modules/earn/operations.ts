import type { Locale } from '@exchange/core/locale.ts';
import type { finance, mining } from '@exchange/wire/console/products.ts';
import type { ListDescription, OperationDescription } from '@exchange/wire/operation.ts';
import { serveAction, whyOf, type Operation, type OperatorCall } from '../../platform/console/operation.ts';
import { previewIn } from '../../platform/console/preview.ts';
import { serveVersions } from '../../platform/console/versions.ts';
import { fundingOperation, type Ledger } from '../ledger/index.ts';
import type { Market } from '../market/index.ts';
import { rateWarnings, termsEvidence, termsNeighbours } from './evidence.ts';
import type { EarnDetail, EarnTerms } from './domain.ts';
import type { Earn } from './service.ts';

/**
 * Description of a console operation that publishes an earn product. Finance and mining show the same evidence to the
 * second operator, so the evidence type of finance serves both.
 */
interface PublishDescription extends OperationDescription {
  readonly method: 'POST';
  readonly isVersioned: true;
  readonly isPreviewed: true;
  readonly evidence: typeof finance.publish.evidence;
}

/** The differences between the console operations on finance and on mining products. */
interface KindOperations<Terms extends EarnTerms> {
  readonly kind: 'finance' | 'mining';
  readonly described: {
    readonly versions: ListDescription;
    readonly publish: PublishDescription;
    readonly fund: typeof finance.fund | typeof mining.fund;
  };
  readonly termsOf: (call: OperatorCall) => Terms;
  /**
   * `of` returns the term of a product in days from its terms; `field` is the name of the form field that
   * contains it.
   */
  readonly days: { readonly field: 'period' | 'cycle'; readonly of: (terms: Terms) => number };
  readonly present: (proposed: EarnDetail<Terms>, locale: Locale) => unknown;
}

/**
 * The console operations on products of a kind, except for the list of the products: publish a product or a new version
 * of its terms with a reason (an end of the sale closes the product), read the versions, and fund the paying account
 * from collected fees.
 */
export function earnOperations<Terms extends EarnTerms>(
  earn: Earn<Terms>,
  options: KindOperations<Terms>,
  ledger: Pick<Ledger, 'balance'>,
  market: Pick<Market, 'usdtPrice'>,
): Operation[] {
  const { kind, termsOf } = options;
  const { versions, publish, fund } = options.described;
  return [
    serveVersions(versions, {
      read: ({ parameters }, range) => earn.versions(parameters['code'] ?? '', range),
    }),
    serveAction(publish, {
      check: (call) => earn.previewTerms(termsOf(call)),
      secondPerson: { evidence: (call) => termsEvidence(earn, termsOf(call)) },
      warnings: (call) => rateWarnings(earn, options.days, termsOf(call)),
      neighbours: (call) => Promise.resolve(termsNeighbours(kind, options.days.of, termsOf(call), market)),
      versionOf: async ({ parameters }) =>
        (await earn.listProducts(undefined)).find(({ product }) => product.code === parameters['code'])
          ?.product.version ?? 0,
      preview: async (call) => {
        const terms = termsOf(call);
        const proposed = await earn.previewTerms(terms);
        return previewIn(kind, { name: terms.name, source: terms.source }, (locale) =>
          options.present(proposed, locale),
        );
      },
      run: (call) => earn.publish(termsOf(call), whyOf(call)),
    }),
    fundingOperation({ ledger, market }, fund, {
      accountOf: () => (kind === 'finance' ? 'interest' : 'mining'),
      fund: ({ asset, wanted }) => earn.fund(asset, wanted, 'fees'),
    }),
  ];
}
