import { Decimal } from '@exchange/core/decimal.ts';
import { symbolOfName } from '@exchange/core/pair.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import * as described from '@exchange/wire/console/products.ts';
import { FieldValues } from '../../platform/console/field-values.ts';
import {
  serveAction,
  serveList,
  whyOf,
  type CallOf,
  type Operation,
  type OperatorCall,
} from '../../platform/console/operation.ts';
import { previewIn, type OperatorPreview } from '../../platform/console/preview.ts';
import { serveVersions } from '../../platform/console/versions.ts';
import { fundingOperation, type FundingParts } from '../ledger/index.ts';
import { saleStatus } from './commands.ts';
import { TERMS_TITLE, type FundTerms } from './domain.ts';
import { closingEvidence, termsEvidence, termsNeighbours, termsWarnings } from './evidence.ts';
import { presentProposed } from './present.ts';
import type { Funds } from './service.ts';

/**
 * The console operations on funds: list the funds and the versions of their terms, publish a fund or the next version
 * of its terms, fund the accounts of funds from collected fees, and close a fund, after which open positions are sold
 * at the next unit value.
 */
export function fundOperations(funds: Funds, parts: FundingParts): Operation[] {
  return [
    serveList(described.funds, async () => ({
      list: (await funds.listFunds()).map(({ fund, value, coverable }) => ({
        code: fund.code,
        version: fund.version,
        asset: fund.asset,
        status: saleStatus(fund),
        value: value?.value ?? null,
        openNotional: fund.openNotional,
        coverable,
        mmr: fund.mmr,
        liqFee: fund.liqFee,
        name: fund.name,
        divisor: fund.divisor,
        minAmount: fund.minAmount,
        step: fund.step,
        manageRate: fund.manageRate,
        financeRate: fund.financeRate,
        isOpen: fund.isOpen,
        ...textFieldsOf(fund),
      })),
    })),
    serveVersions(described.fundVersions, {
      read: ({ parameters }, range) => funds.versions(parameters['code'] ?? '', range),
      shown: (terms) => ({
        ...terms,
        ...textFieldsOf(terms as unknown as StoredTerms),
      }),
    }),
    serveAction(described.publishFund, {
      check: (call) => funds.previewTerms(termsOf(call)),
      secondPerson: { evidence: (call) => termsEvidence(funds, termsOf(call)) },
      warnings: (call) => termsWarnings(funds, termsOf(call)),
      neighbours: (call) => termsNeighbours(funds, termsOf(call)),
      versionOf: async ({ parameters }) =>
        (await funds.listFunds()).find(({ fund }) => fund.code === parameters['code'])?.fund.version ?? 0,
      preview: (call) => previewOf(funds, call),
      run: (call) => funds.publish(termsOf(call), whyOf(call)),
    }),
    serveAction(described.closeFund, {
      secondPerson: { evidence: ({ parameters }) => closingEvidence(funds, parameters['code'] ?? '') },
      run: (call) => funds.close(call.parameters['code'] ?? '', whyOf(call)),
    }),
    fundingOperation(parts, described.fundFundAccounts, {
      accountOf: ({ fields: { account } }) => {
        if (account !== 'fund' && account !== 'insurance')
          throw new Refused(refusal('invalidField', 'l.field_choice', { field: 'account' }));
        return account;
      },
      fund: ({ account, asset, wanted }) =>
        funds.fund(account as 'fund' | 'insurance', asset, wanted, 'fees'),
    }),
  ];
}

async function previewOf(funds: Funds, call: OperatorCall): Promise<OperatorPreview> {
  const terms = termsOf(call);
  const proposed = await funds.previewTerms(terms);
  const texts = { name: terms.name, document: terms.documents[0]!.text };
  return previewIn('fund', texts, (locale) => presentProposed(proposed, locale));
}

/** Terms of a fund as they are stored, where weights are text. */
interface StoredTerms extends Pick<FundTerms, 'leverages' | 'documents'> {
  readonly constituents: readonly { readonly symbol: string; readonly weight: { toString(): string } }[];
}

/** Converts the lists in a fund's terms to text, as the form fields of the operation contain them. */
function textFieldsOf({ leverages, constituents, documents }: StoredTerms) {
  return {
    leverages: leverages.join(' '),
    constituents: constituents.map(({ symbol, weight }) => `${symbol}=${weight.toString()}`).join(' '),
    document: documents.find(({ title }) => title['en-US'] === TERMS_TITLE['en-US'])?.text,
  };
}

function termsOf({ parameters, fields }: CallOf<typeof described.publishFund>): FundTerms {
  const values = new FieldValues(fields);
  const constituents = wordsOf(values.text('constituents')).map((text) => {
    const [name = '', amount = ''] = text.split('=');
    const weight = Decimal.tryParse(amount);
    if (weight !== undefined) return { symbol: symbolOfName(name), weight };
    throw new Refused(refusal('invalidField', 'l.field_number', { field: 'constituents', value: text }));
  });
  return {
    code: parameters['code'] ?? '',
    asset: values.text('asset').toUpperCase(),
    constituents,
    name: values.byLocale('name'),
    divisor: values.decimal('divisor'),
    step: values.decimal('step'),
    documents: [
      {
        title: TERMS_TITLE,
        text: values.byLocale('document'),
      },
    ],
    leverages: wordsOf(values.text('leverages')).map(Number),
    minAmount: values.decimal('minAmount'),
    mmr: values.decimal('mmr'),
    manageRate: values.decimal('manageRate'),
    financeRate: values.decimal('financeRate'),
    liqFee: values.decimal('liqFee'),
    isOpen: values.isOn('open'),
  };
}

function wordsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}
