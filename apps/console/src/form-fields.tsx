import {
  camelToWords,
  formatValue,
  type Operation,
  type Row,
  type OperationField,
} from '@exchange/web-kit/console/calls.ts';
import { type ComponentProps, Fragment, useState } from 'react';
import { DurationsField } from './durations-field.tsx';
import { localTime, localZone } from './texts.ts';
import { headingOf, WORDS } from './words.ts';

export interface Refused {
  readonly field: string;
  readonly error: string;
  /**
   * Seconds after which the server accepts the refused field again; undefined if its refusal states no waiting time.
   */
  readonly seconds?: number | undefined;
}

interface Props {
  readonly operation: Operation;
  /**
   * Names of the URL path parameters that the operator has to type, because neither the row nor the page contains them.
   */
  readonly entered: readonly string[];
  readonly row: Row;
  readonly filled: Readonly<Record<string, string>>;
  /** The form field that was refused, and the reason; undefined when nothing was refused. */
  readonly refused: Refused | undefined;
}

/**
 * All inputs of an operation's form: the URL path parameters that neither the row nor the page contains, the
 * operation's fields that apply to the row, and the reason of a POST operation; with menus of prepared texts.
 */
export function Fields({ operation, entered, row, filled, refused }: Props) {
  const { method, fields } = operation;
  return (
    <>
      {entered.map((name) => (
        <Field
          key={name}
          name={name}
          refused={refused}
          field={{ label: headingOf(name), kind: 'text' }}
          value={filled[name] ?? ''}
        />
      ))}
      {Object.entries(fields)
        .filter(([, { onlyWhere }]) => onlyWhere === undefined || row[onlyWhere] === true)
        .map(([name, field]) => (
          <Fragment key={name}>
            {field.templates !== undefined && (
              <Templates
                label={WORDS.answers}
                field={name}
                templates={field.templates}
                locale={formatValue(row[field.templatesIn ?? ''])}
              />
            )}
            <Field name={name} field={field} refused={refused} value={filled[name] ?? ''} />
          </Fragment>
        ))}
      {method === 'POST' && operation.templates !== undefined && (
        <Templates
          label={WORDS.templates}
          field="reason"
          templates={operation.templates.map((text) => ({ name: text, text: { 'en-US': text } }))}
          locale=""
        />
      )}
      {method === 'POST' && (
        <Field
          name="reason"
          field={{
            label: operation.reasonLabel ?? WORDS.reason,
            kind: operation.reasonLabel === undefined ? 'text' : 'longText',
          }}
          value=""
          refused={refused}
        />
      )}
    </>
  );
}

interface TemplatesProps {
  readonly label: string;
  /** Name of the form field into which the selected prepared text (an answer or a reason) is written. */
  readonly field: string;
  readonly templates: readonly {
    readonly name: string;
    readonly text: Readonly<Record<string, string | undefined>>;
  }[];
  /** The language of the answer templates; a template without a text in this language is written in English. */
  readonly locale: string;
}

/**
 * Menu of prepared texts (answers to users, or reasons of decisions); the selected text is written into the
 * form field, where the operator can edit it.
 */
function Templates({ label, field, templates, locale }: TemplatesProps) {
  return (
    <label>
      {label}
      <select
        defaultValue=""
        onChange={({ currentTarget }) => {
          const input = currentTarget.form?.elements.namedItem(field);
          if (!(input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement)) return;
          const text = templates.find(({ name }) => name === currentTarget.value)?.text;
          input.value = text?.[locale] ?? text?.['en-US'] ?? '';
          input.focus();
        }}
      >
        <option value="" />
        {templates.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}

interface FieldProps {
  readonly name: string;
  readonly field: OperationField;
  readonly value: string;
  readonly refused: Refused | undefined;
}

const REASON_MAX = 500;

function Field({ name, field, value, refused }: FieldProps) {
  const { label, kind, choices = [], isOptional = false } = field;
  const isRefused = refused?.field === name;
  const id = `why-${name}`;
  const common = {
    name,
    required: !isOptional,
    ...(isRefused ? { 'aria-invalid': true, 'aria-describedby': id } : {}),
  };
  if (kind === 'switch')
    return (
      <label className="line">
        <input type="checkbox" name={name} value="1" defaultChecked={value === '1'} /> {label}
      </label>
    );
  if (kind === 'several')
    return <CheckboxGroup name={name} field={field} value={value} error={isRefused ? refused.error : ''} />;
  if (kind === 'durations')
    return <DurationsField name={name} label={label} value={value} error={isRefused ? refused.error : ''} />;
  return (
    <label className={classOf(field)}>
      <span>
        {labelOf(label, kind)}
        {isOptional && <span className="dim"> {WORDS.optional}</span>}
      </span>
      {kind === 'choice' ? (
        <select {...common} defaultValue={value}>
          <option value="" />
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {camelToWords(choice)}
            </option>
          ))}
        </select>
      ) : kind === 'longText' ? (
        <textarea {...common} defaultValue={value} rows={3} />
      ) : (
        <Input
          kind={kind}
          attributes={{
            ...common,
            defaultValue: value,
            maxLength: name === 'reason' ? REASON_MAX : undefined,
          }}
        />
      )}
      {isRefused && (
        <span id={id} className="error">
          {refused.error}
        </span>
      )}
    </label>
  );
}

/**
 * Returns the label of a form field, followed by the unit that the operator types (UTC for times, percent for
 * rates).
 */
function labelOf(label: string, kind: OperationField['kind']): string {
  if (kind === 'time') return `${label} (UTC)`;
  return kind === 'percent' ? `${label} (${WORDS.percent})` : label;
}

/**
 * Returns the layout class of a form field: `wide` for long texts and lists, which use the full width;
 * `first` for the English text of a group of translations, which starts a new row of two columns; undefined
 * for all other fields.
 */
function classOf({ kind, isWide, locale }: OperationField): string | undefined {
  if (kind === 'longText' || isWide === true) return 'wide';
  return locale === 'en-US' ? 'first' : undefined;
}

interface CheckboxGroupProps {
  readonly name: string;
  readonly field: OperationField;
  readonly value: string;
  /** Error message below the field if the field was refused; otherwise empty. */
  readonly error: string;
}

/** Checkboxes that select several names from a set; the form sends the checked names separated by commas. */
function CheckboxGroup({ name, field: { label, choices = [] }, value, error }: CheckboxGroupProps) {
  const chosen = value.split(/[\s,]+/);
  const id = `why-${name}`;
  return (
    <fieldset aria-describedby={error === '' ? undefined : id}>
      <legend>{label}</legend>
      {choices.map((choice, index) => (
        <label key={choice} className="line">
          <input
            type="checkbox"
            name={name}
            value={choice}
            defaultChecked={chosen.includes(choice)}
            aria-invalid={error !== '' && index === 0 ? true : undefined}
          />{' '}
          {camelToWords(choice)}
        </label>
      ))}
      {error !== '' && (
        <span id={id} className="error">
          {error}
        </span>
      )}
    </fieldset>
  );
}

interface InputProps {
  readonly kind: OperationField['kind'];
  readonly attributes: ComponentProps<'input'>;
}

/** A single-line form input; for a rate, the unit (percent) is shown inside the input. */
function Input({ kind, attributes }: InputProps) {
  if (kind === 'time') return <TimeInput attributes={attributes} />;
  const input = <input {...attributes} {...inputOf(kind)} />;
  return kind === 'percent' ? <span className="in-percent">{input}</span> : input;
}

/** An input for a time in UTC; beside it the typed time is shown in the operator's time zone. */
function TimeInput({ attributes }: Pick<InputProps, 'attributes'>) {
  const [typed, setTyped] = useState(String(attributes.defaultValue ?? ''));
  const at = Date.parse(`${typed}Z`);
  return (
    <>
      <input {...attributes} {...inputOf('time')} onInput={(event) => setTyped(event.currentTarget.value)} />
      {Number.isNaN(at) ? null : <span className="dim">{WORDS.inYourZone(localTime(at), localZone())}</span>}
    </>
  );
}

function inputOf(kind: OperationField['kind']) {
  if (kind === 'time') return { type: 'datetime-local', step: 1 };
  if (kind === 'day') return { type: 'date' };
  return {
    inputMode: kind === 'text' ? ('text' as const) : ('decimal' as const),
    autoComplete: 'off',
  };
}
