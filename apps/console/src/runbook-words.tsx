import { Fragment, type ReactNode } from 'react';

const INLINE = /(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)]+\))/;

/** Text with its code, its emphasis, and its links within the runbook. */
export function Words({ text }: { readonly text: string }): ReactNode {
  return text.split(INLINE).map((part, index) => <Fragment key={index}>{wordsOf(part)}</Fragment>);
}

function wordsOf(part: string): ReactNode {
  if (part.startsWith('`')) return <code>{part.slice(1, -1)}</code>;
  if (part.startsWith('**')) return <strong>{part.slice(2, -2)}</strong>;
  const [, label, place = ''] = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part) ?? [];
  if (label === undefined) return part;
  return place.startsWith('#') ? <a href={`#runbook/${place.slice(1)}`}>{label}</a> : label;
}
