import type { TextByLocale } from '@exchange/core/locale.ts';
import * as described from '@exchange/wire/console/products.ts';
import { FieldValues } from '../../platform/console/field-values.ts';
import {
  serveAction,
  serveList,
  whyOf,
  type CallOf,
  type Operation,
} from '../../platform/console/operation.ts';
import { previewIn } from '../../platform/console/preview.ts';
import { serveVersions } from '../../platform/console/versions.ts';
import { AGREEMENT_VERSION, type ProjectTerms } from './domain.ts';
import type { Market } from '../market/index.ts';
import { cancelEvidence, termsEvidence, termsNeighbours, termsWarnings } from './evidence.ts';
import { presentDetail } from './present.ts';
import type { Subscription } from './service.ts';

/**
 * Returns the console operations on token sales: list the sales and the versions of their terms, publish
 * terms before a sale begins, and cancel a sale, which refunds all commitments.
 */
export function subscriptionOperations(
  subscription: Subscription,
  market: Pick<Market, 'reference'>,
): Operation[] {
  return [
    serveList(described.projects, async () => ({
      list: (await subscription.projects()).map(({ project, status }) => ({
        code: project.code,
        symbol: project.symbol,
        version: project.version,
        status,
        stage: project.stage,
        committed: project.committed,
        participants: project.participants,
        sold: project.sold,
        startAt: project.startAt,
        endAt: project.endAt,
        listAt: project.listAt,
        name: project.name,
        about: project.about,
        tokenomics: project.tokenomics,
        whitepaper: project.whitepaper,
        totalSupply: project.totalSupply,
        ratio: project.ratio,
        issueAmount: project.issueAmount,
        hardCapUser: project.hardCapUser,
        quote: project.quote,
        tokenDigits: project.tokenDigits,
        minAmount: project.minAmount,
        maxAmount: project.maxAmount,
        softCap: project.softCap,
        lockDays: project.lockDays,
        linearDays: project.linearDays,
      })),
    })),
    serveVersions(described.projectVersions, {
      read: ({ parameters }, range) => subscription.versions(parameters['code'] ?? '', range),
    }),
    serveAction(described.publishProject, {
      check: (call) => subscription.previewTerms(termsOf(call)),
      secondPerson: { evidence: (call) => termsEvidence(subscription, termsOf(call)) },
      warnings: (call) => termsWarnings(subscription, termsOf(call)),
      neighbours: (call) =>
        Promise.resolve(termsNeighbours(termsOf(call), (symbol) => market.reference(symbol))),
      versionOf: async ({ parameters }) =>
        (await subscription.projects()).find(({ project }) => project.code === parameters['code'])?.project
          .version ?? 0,
      preview: async (call) => {
        const terms = termsOf(call);
        const proposed = await subscription.previewTerms(terms);
        const { name, about, tokenomics, whitepaper } = terms;
        return previewIn('subscription', { name, about, tokenomics, whitepaper }, (locale) =>
          presentDetail(proposed, locale),
        );
      },
      run: (call) => subscription.publish(termsOf(call), whyOf(call)),
    }),
    serveAction(described.cancelProject, {
      secondPerson: {
        evidence: ({ parameters }) => cancelEvidence(subscription, parameters['code'] ?? ''),
      },
      run: ({ parameters }) => subscription.cancel(parameters['code'] ?? ''),
    }),
  ];
}

type ProjectCall = CallOf<typeof described.publishProject>;

/**
 * Maximum number of characters of each text of a project per language. All texts of a project in all languages fit into
 * one request of the console even at this length.
 */
const TEXT_MOST = {
  name: 100,
  about: 5_000,
  tokenomics: 10_000,
  whitepaper: 20_000,
} as const;

/**
 * Returns a text of a project in all languages, from the form fields of an operator's call. Refuses a missing
 * English or Chinese text, and a text with more characters than `TEXT_MOST` permits for this text.
 */
function textOf(
  values: FieldValues<keyof ProjectCall['fields']>,
  field: keyof typeof TEXT_MOST,
): TextByLocale {
  return values.byLocale(field, TEXT_MOST[field]);
}

function termsOf({ parameters, fields }: ProjectCall): ProjectTerms {
  const values = new FieldValues(fields);
  return {
    code: parameters['code'] ?? '',
    symbol: values.text('symbol').toUpperCase(),
    name: textOf(values, 'name'),
    about: textOf(values, 'about'),
    tokenomics: textOf(values, 'tokenomics'),
    whitepaper: textOf(values, 'whitepaper'),
    totalSupply: values.decimal('totalSupply'),
    issueAmount: values.decimal('issueAmount'),
    ratio: values.decimal('ratio'),
    hardCapUser: values.decimal('hardCapUser'),

    tokenDigits: values.whole('tokenDigits'),
    quote: values.text('quote').toUpperCase(),
    quoteDigits: 8,
    minAmount: values.decimal('minAmount'),
    maxAmount: values.decimal('maxAmount'),
    softCap: values.isSet('softCap') ? values.decimal('softCap') : undefined,
    startAt: values.time('startAt'),
    endAt: values.time('endAt'),
    listAt: values.time('listAt'),
    lockDays: values.whole('lockDays'),
    linearDays: values.whole('linearDays'),
    agreementVersion: AGREEMENT_VERSION,
  };
}
