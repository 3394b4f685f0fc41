import { searchKey } from './typed-text.ts';
import { Check, Search } from 'lucide-react';
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import css from './picker.module.css';

/** One value of a picker. */
export interface PickerChoice {
  readonly key: string;
  /** What a search looks through. */
  readonly text: string;
  readonly row: ReactNode;
  /** Shown, and not to be had. */
  readonly isBarred?: boolean;
}

export interface PickerListProps {
  /** Names the list. */
  readonly label: string;
  readonly choices: readonly PickerChoice[];
  /** The key of what is chosen. */
  readonly value: string | undefined;
  readonly onPick: (key: string) => void;
  readonly searchLabel: string;
  /** Said where nothing is found. */
  readonly none: string;
  /** The search takes the focus when it appears; on a phone its keyboard would cover the list. */
  readonly hasFocus?: boolean;
}

const WAYS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** A list with a search above it: arrows move, Enter takes what is marked. */
export function PickerList(props: PickerListProps) {
  const { label, choices, value, onPick, searchLabel, none, hasFocus = false } = props;
  const id = useId();
  const [text, setText] = useState('');
  const wanted = searchKey(text);
  const found = foundIn(choices, wanted);
  const open = found.filter(({ isBarred }) => isBarred !== true);
  const [marked, setMarked] = useState(value);
  const active = open.find(({ key }) => key === marked) ?? open[0];
  const optionId = (key: string) => `${id}-${choices.findIndex((choice) => choice.key === key)}`;

  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    const way = WAYS[event.key];
    if (way === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (active === undefined) return;
    if (way === undefined) onPick(active.key);
    else setMarked(open[(open.indexOf(active) + way + open.length) % open.length]?.key);
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
          // Escape closes the list, and not the dialog in which its button stands.
          data-mantine-stop-propagation={hasFocus || undefined}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setMarked(undefined);
          }}
          onKeyDown={press}
        />
      </div>
      <div role="listbox" id={id} aria-label={label} className={css.list}>
        {found.map((choice) => (
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
      {found.length > 0 ? null : (
        <p className={css.none} role="status">
          {none}
        </p>
      )}
    </div>
  );
}

/** Those that a search fits; what begins with it first: who types `eth` means ETH before Tether. */
function foundIn(choices: readonly PickerChoice[], wanted: string): readonly PickerChoice[] {
  const placeOf = ({ text }: PickerChoice) => searchKey(text).indexOf(wanted);
  return choices
    .filter((choice) => placeOf(choice) >= 0)
    .toSorted((one, other) => Math.sign(placeOf(one)) - Math.sign(placeOf(other)));
}

interface OptionProps {
  readonly id: string;
  readonly choice: PickerChoice;
  readonly isChosen: boolean;
  readonly isMarked: boolean;
  readonly onPick: () => void;
  readonly onPoint: () => void;
}

/** The keys are the search's: what it has marked is told as the active option. */
function Option({ id, choice, isChosen, isMarked, onPick, onPoint }: OptionProps) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isMarked) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isMarked]);
  const isBarred = choice.isBarred === true;
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
