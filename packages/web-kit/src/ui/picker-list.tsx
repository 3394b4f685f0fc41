import { searchKey } from './typed-text.ts';
import { Check, Search } from 'lucide-react';
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import css from './picker.module.css';

export interface PickerChoice {
  readonly key: string;
  /** The text of the option with which a search text is compared. */
  readonly text: string;
  readonly row: ReactNode;
  /** True shows the option but does not let the user select it. */
  readonly isDisabled?: boolean;
}

export interface PickerListProps {
  readonly label: string;
  readonly choices: readonly PickerChoice[];
  /** Key of the selected option; undefined if none is selected. */
  readonly value: string | undefined;
  readonly onPick: (key: string) => void;
  readonly searchLabel: string;
  /** Text shown when no option matches the search text. */
  readonly emptyText: string;
  /** Returns options that are made from the search text. They are listed before all others and are not filtered. */
  readonly choicesFor?: (text: string) => readonly PickerChoice[];
  /**
   * True if the search field gets the focus when the list opens; not for phones, whose keyboard would cover the list.
   */
  readonly hasFocus?: boolean;
}

const DIRECTIONS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** A list of options with a search field: the arrow keys highlight an option, Enter selects the highlighted one. */
export function PickerList(props: PickerListProps) {
  const {
    label,
    choices: listed,
    choicesFor,
    value,
    onPick,
    searchLabel,
    emptyText,
    hasFocus = false,
  } = props;
  const id = useId();
  const [text, setText] = useState('');
  const query = searchKey(text);
  const made = choicesFor?.(text) ?? [];
  const choices = [...made, ...listed];
  const matches = [...made, ...matchesIn(listed, query)];
  const open = matches.filter(({ isDisabled }) => isDisabled !== true);
  const [marked, setMarked] = useState(value);
  const active = open.find(({ key }) => key === marked) ?? open[0];
  const optionId = (key: string) => `${id}-${choices.findIndex((choice) => choice.key === key)}`;

  const handleKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    const direction = DIRECTIONS[event.key];
    if (direction === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (active === undefined) return;
    if (direction === undefined) onPick(active.key);
    else setMarked(open[(open.indexOf(active) + direction + open.length) % open.length]?.key);
  };
  return (
    <div className={css.body}>
      <div className={css.search}>
        <Search size={18} aria-hidden="true" />
        <input
          role="combobox"
          aria-label={searchLabel}
          placeholder={searchLabel}
          aria-autocomplete="list"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={active === undefined ? undefined : optionId(active.key)}
          autoComplete="off"
          spellCheck={false}
          data-autofocus={hasFocus || undefined}
          // The attribute `data-mantine-stop-propagation` makes Escape close only the list, not also the
          // dialog that contains it.
          data-mantine-stop-propagation={hasFocus || undefined}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setMarked(undefined);
          }}
          onKeyDown={handleKeyDown}
        />
      </div>
      <div role="listbox" id={id} aria-label={label} className={css.list}>
        {matches.map((choice) => (
          <Option
            key={choice.key}
            id={optionId(choice.key)}
            choice={choice}
            isChosen={choice.key === value}
            isMarked={choice === active}
            onPick={() => onPick(choice.key)}
            onPoint={() => setMarked(choice.key)}
          />
        ))}
      </div>
      {matches.length > 0 ? null : (
        <p className={css.none} role="status">
          {emptyText}
        </p>
      )}
    </div>
  );
}

/**
 * Returns the options that match the search text. Those whose text begins with it come first: `eth` lists ETH
 * before Tether.
 */
function matchesIn(choices: readonly PickerChoice[], query: string): readonly PickerChoice[] {
  const placeOf = ({ text }: PickerChoice) => searchKey(text).indexOf(query);
  return choices
    .filter((choice) => placeOf(choice) >= 0)
    .toSorted((a, b) => Math.sign(placeOf(a)) - Math.sign(placeOf(b)));
}

interface OptionProps {
  readonly id: string;
  readonly choice: PickerChoice;
  readonly isChosen: boolean;
  readonly isMarked: boolean;
  readonly onPick: () => void;
  readonly onPoint: () => void;
}

/**
 * An option of the list. The focus stays in the search field, whose attribute `aria-activedescendant` names the
 * highlighted option for screen readers.
 */
function Option({ id, choice, isChosen, isMarked, onPick, onPoint }: OptionProps) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isMarked) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isMarked]);
  const isBarred = choice.isDisabled === true;
  return (
    <div
      ref={row}
      id={id}
      role="option"
      aria-selected={isChosen}
      aria-disabled={isBarred || undefined}
      data-marked={isMarked || undefined}
      className={css.option}
      onPointerMove={isBarred ? undefined : onPoint}
      onClick={isBarred ? undefined : onPick}
    >
      <div className={css.row}>{choice.row}</div>
      <Check size={16} className={css.check} data-chosen={isChosen || undefined} aria-hidden="true" />
    </div>
  );
}
