import {
  orderSnippet,
  SNIPPET_LANGUAGES,
  type SnippetLanguage,
} from '@exchange/wire/public-api/order-snippets.ts';
import { useState } from 'react';
import { CopyButton } from '../form/copy-button.tsx';
import { useWords } from '../i18n/words.ts';
import { Select } from '../ui/choice.tsx';
import css from './api-call.module.css';
import { apiOrderOf } from './api-order.ts';
import type { Ticket, TicketPair } from './ticket.ts';

const LANGUAGE_NAMES: Readonly<Record<SnippetLanguage, string>> = {
  curl: 'curl',
  javascript: 'ccxt (JS)',
  python: 'ccxt (Python)',
};

interface ApiCallProps {
  readonly ticket: Ticket;
  readonly pair: TicketPair;
}

/**
 * An example program which places the ticket's order through the trading API, with placeholders for API key and secret.
 * If the API cannot place this order, a note says so.
 */
export default function ApiCall({ ticket, pair }: ApiCallProps) {
  const t = useWords('trade');
  const [language, setLanguage] = useState<SnippetLanguage>('curl');
  const request = apiOrderOf(ticket, pair);
  if (request === undefined) return <p className={css.note}>{t('apiCallNone')}</p>;
  const text = orderSnippet(language, request, location.origin);
  return (
    <div className={css.call}>
      <Select
        label={t('apiCallLanguage')}
        value={language}
        onChange={setLanguage}
        options={SNIPPET_LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
      />
      {/* The program text can be focused, so that the user can scroll it with the keyboard. */}
      <pre className={css.code} tabIndex={0} aria-label={LANGUAGE_NAMES[language]}>
        <code>{text}</code>
      </pre>
      <p className={css.note}>
        {t('apiCallNote')}{' '}
        <a href="/docs/api" target="_blank" rel="noreferrer">
          {t('apiCallDocs')}
        </a>
      </p>
      <CopyButton text={text} label={t('apiCallCopy')} />
    </div>
  );
}
