import { useEffect, useId, useMemo, type ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { formatTime } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import css from './legal.module.css';

interface LegalDocumentProps {
  /** Prefix of the anchors of the text's sections: `privacy` in `#privacy-3`. */
  readonly name: string;
  readonly paragraphs: readonly string[];
  /** Version of the legal text; undefined for texts that users need not accept. */
  readonly version?: string | undefined;
  readonly date?: string | undefined;
  readonly isShort?: boolean;
  readonly head?: ReactNode;
  /** True when the text is shown in an overlay; its links to sections then do not change the page's URL. */
  readonly isOver?: boolean;
  readonly children?: ReactNode;
}

interface Entry extends Section {
  readonly id: string;
}

/**
 * A legal text with a table of contents, which is beside the text on wide screens and otherwise collapsed above it;
 * short texts, and texts with fewer than two headings, have no table of contents.
 */
export function LegalDocument(props: LegalDocumentProps) {
  const { name, paragraphs, version, date, head, isOver = false, isShort = false, children } = props;
  const entries = useMemo(
    () => sectionsOf(paragraphs).map((section, at) => ({ ...section, id: `${name}-${at}` })),
    [name, paragraphs],
  );
  useSectionOfAddress(isOver ? undefined : entries);
  const contents = entries.filter(({ title }) => title !== undefined);
  return (
    <div className={css.frame} data-over={isOver || undefined}>
      <div className={css.document}>
        {!isShort && contents.length > 1 && <Contents entries={contents} isOver={isOver} />}
        <div className={css.text}>
          <Edition version={version} date={date} />
          {head}
          {entries.map((entry) => (
            <SectionText key={entry.id} entry={entry} />
          ))}
          {children}
        </div>
      </div>
    </div>
  );
}

function Edition({ version, date }: Pick<LegalDocumentProps, 'version' | 'date'>) {
  const t = useWords('about');
  const locale = useLocale();
  if (version === undefined && date === undefined) return null;
  const day = date === undefined ? '' : formatTime(Date.parse(date), locale, 'day', 'UTC');
  const text =
    version === undefined
      ? t('updated', { date: day })
      : t(day === '' ? 'textVersion' : 'edition', { version, date: day });
  return <p className={css.edition}>{text}</p>;
}

function Contents({ entries, isOver }: { readonly entries: readonly Entry[]; readonly isOver: boolean }) {
  const t = useWords('about');
  const label = useId();
  const list = (
    <ol>
      {entries.map(({ id, title }) => (
        <li key={id}>
          <Link
            to={{ hash: id }}
            replace
            onClick={(event) => {
              if (isOver) event.preventDefault();
              scrollToSection(id);
            }}
          >
            {title}
          </Link>
        </li>
      ))}
    </ol>
  );
  return (
    <>
      <nav className={css.beside} aria-labelledby={label}>
        <p id={label}>{t('contents')}</p>
        {list}
      </nav>
      <details className={css.folded}>
        <summary>{t('contents')}</summary>
        {list}
      </details>
    </>
  );
}

function SectionText({ entry: { id, title, parts } }: { readonly entry: Entry }) {
  return (
    <section>
      {title !== undefined && (
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
      )}
      {parts.map((part) => (
        <PartText key={part.is === 'list' ? part.items[0] : part.text} part={part} />
      ))}
    </section>
  );
}

function PartText({ part }: { readonly part: Part }) {
  if (part.is === 'paragraph') return <p>{part.text}</p>;
  return (
    <ul>
      {part.items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
}

/**
 * Scrolls to a section of a legal text and moves the focus to the section's heading, so that screen readers announce
 * it.
 */
function scrollToSection(id: string): void {
  const heading = document.getElementById(id);
  heading?.scrollIntoView({ block: 'start' });
  heading?.focus({ preventScroll: true });
}

/** When the legal text has loaded or the URL's anchor changes, scrolls to the section that the anchor names. */
function useSectionOfAddress(entries: readonly Entry[] | undefined): void {
  const { hash } = useLocation();
  useEffect(() => {
    const entry = entries?.find(({ id }) => `#${id}` === hash);
    if (entry !== undefined) scrollToSection(entry.id);
  }, [entries, hash]);
}

/** A section of a legal text: heading and content. The section before the first heading has no title. */
export interface Section {
  readonly title: string | undefined;
  readonly parts: readonly Part[];
}
type Part =
  | { readonly is: 'paragraph'; readonly text: string }
  | { readonly is: 'list'; readonly items: readonly string[] };

/**
 * Parses the paragraphs of a legal text into sections: a paragraph that begins with `# ` is a heading, one that begins
 * with `- ` a list item, any other a plain paragraph.
 */
export function sectionsOf(paragraphs: readonly string[]): readonly Section[] {
  const sections: { title: string | undefined; parts: Part[] }[] = [];
  for (const text of paragraphs) {
    const isHeading = text.startsWith('# ');
    if (isHeading || sections.length === 0)
      sections.push({ title: isHeading ? text.slice(2) : undefined, parts: [] });
    if (isHeading) continue;
    const { parts } = sections.at(-1)!;
    const lastPart = parts.at(-1);
    if (!text.startsWith('- ')) parts.push({ is: 'paragraph', text });
    else if (lastPart?.is === 'list')
      parts[parts.length - 1] = { is: 'list', items: [...lastPart.items, text.slice(2)] };
    else parts.push({ is: 'list', items: [text.slice(2)] });
  }
  return sections;
}
