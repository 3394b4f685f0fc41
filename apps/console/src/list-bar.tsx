import {
  camelToWords,
  resolvePath,
  type Operation,
  type OperationField,
  type Row,
  withQuery,
} from '@exchange/web-kit/console/calls.ts';
import type { FormEvent } from 'react';
import { WORDS } from './words.ts';

interface Props {
  readonly lists: readonly Operation[];
  readonly files: readonly Operation[];
  readonly given: Row;
  readonly at: number;
  readonly filter: string;
  readonly setFilter: (text: string) => void;
  readonly query: Readonly<Record<string, string>>;
  readonly onQuery: (asked: Record<string, string>) => void;
  readonly onReload: () => void;
  readonly onChosen: (index: number) => void;
}

/**
 * Bar above a list: tabs to select a list, the filter of the loaded rows, a button that reloads the list, links to
 * files, and inputs of the list's query if the server supports one.
 */
export function ListBar(props: Props) {
  const { lists, files, given, at, filter, setFilter, query, onQuery, onReload, onChosen } = props;
  const list = lists[at];
  const submitQuery = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = [...new FormData(event.currentTarget)].map(([name, value]) => [name, value as string]);
    onQuery(Object.fromEntries(typed) as Record<string, string>);
  };
  const fields = Object.entries(list?.fields ?? {});
  return (
    <>
      <div className="bar">
        {lists.length > 1 && (
          <div className="tabs" role="group" aria-label={WORDS.lists}>
            {lists.map(({ path, name }, index) => (
              <button key={path} type="button" aria-pressed={index === at} onClick={() => onChosen(index)}>
                {name}
              </button>
            ))}
          </div>
        )}
        <input
          type="search"
          aria-label={WORDS.filter}
          placeholder={WORDS.filter}
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
        <button type="button" className="button" onClick={onReload}>
          {WORDS.reload}
        </button>
        {files.map(({ path, name }) => (
          <a key={path} className="button" href={withQuery(resolvePath(path, given), query)} download>
            {name}
          </a>
        ))}
      </div>
      {fields.length > 0 && (
        <form key={list?.path} className="asked" aria-label={WORDS.narrow} onSubmit={submitQuery}>
          {fields.map(([name, field]) => (
            <label key={name}>
              {field.label}
              <FilterInput name={name} field={field} value={query[name] ?? ''} />
            </label>
          ))}
          <button type="submit" className="button">
            {WORDS.apply}
          </button>
        </form>
      )}
    </>
  );
}

interface FilterInputProps {
  readonly name: string;
  readonly field: OperationField;
  readonly value: string;
}

/** Input for a field of a list query: a menu, a day or a text, depending on the kind of the field. */
function FilterInput({ name, field: { kind, choices = [] }, value }: FilterInputProps) {
  if (kind !== 'choice')
    return <input name={name} type={kind === 'day' ? 'date' : 'text'} defaultValue={value} />;
  return (
    <select name={name} defaultValue={value}>
      <option value="">{WORDS.all}</option>
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {camelToWords(choice)}
        </option>
      ))}
    </select>
  );
}
