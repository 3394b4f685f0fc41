import { useEffect, useRef, type ReactNode } from 'react';
import { LeaveQuestion } from '../form/leave-question.tsx';
import { UploadField } from '../form/upload-field.tsx';
import { refusalText, useLocale, useWords } from '../i18n/words.ts';
import { Button } from '../ui/button.tsx';
import { Banner } from '../ui/parts.tsx';
import { DetailFields } from './detail-fields.tsx';
import css from './kyc.module.css';
import type { Verification } from './queries.ts';
import { useVerify, type Photo, type VerifyControl } from './use-verify.ts';
import { countryName, type Step } from './verify-model.ts';

/**
 * Identity verification form in several steps. After a rejection, the form contains only the fields that the server
 * requests again.
 */
export function VerifyForm({ verification }: { readonly verification: Verification }) {
  const t = useWords('kyc');
  const control = useVerify(verification);
  const { form, photos, steps, step, unfinished } = control;
  const requestedFields = verification.fields;
  return (
    <form
      className={css.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        control.continue();
      }}
    >
      <Stepper steps={steps} step={step} />
      {verification.pretended === 1 ? <DemoNote onSample={() => void control.uploadSample()} /> : null}
      {step === 'details' ? (
        <Section title={t('details')} text={t('detailsText')}>
          <DetailFields form={form} wanted={requestedFields} kept={verification} />
        </Section>
      ) : null}
      {/* The photo fields stay mounted while other steps are shown, so that running uploads are not aborted. */}
      <div hidden={step !== 'photos'}>
        <Section title={t('photos')} text={t('photosText')}>
          <div className={css.photos}>
            {photos
              .filter(({ field }) => requestedFields.includes(field))
              .map((photo) => (
                <PhotoField key={photo.field} {...photo} />
              ))}
          </div>
        </Section>
      </div>
      {step === 'check' ? (
        <Section title={t('check')} text={t('checkText')}>
          <Summary verification={verification} control={control} />
        </Section>
      ) : null}
      <div className={css.buttons}>
        {step === steps[0] ? null : (
          <Button look="secondary" size="l" onClick={control.back}>
            {t('previous')}
          </Button>
        )}
        <Button type="submit" size="l" busy={control.isBusy}>
          {t(step === 'check' ? 'submit' : 'next')}
        </Button>
      </div>
      <LeaveQuestion
        isOpen={unfinished.isAsking}
        title={t('leaveTitle')}
        text={t('leaveText')}
        stay={t('leaveStay')}
        leave={t('leave')}
        onStay={unfinished.stay}
        onLeave={unfinished.leave}
      />
    </form>
  );
}

function PhotoField({ side, control, isMissed }: Photo) {
  const t = useWords('kyc');
  const missingKey = side === 'front' ? 'l.kyc_front_required' : 'l.kyc_back_required';
  return (
    <UploadField
      label={t(side)}
      hint={t(`${side}Hint`)}
      example={<ExampleCard side={side} />}
      control={control}
      error={isMissed ? refusalText({ key: missingKey, parameters: {} }) : undefined}
    />
  );
}

function Section({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section className={css.section}>
      <h2>{title}</h2>
      <p className={css.text}>{text}</p>
      {children}
    </section>
  );
}

const STEP_WORDS = { details: 'stepDetails', photos: 'stepPhotos', check: 'stepReview' } as const;

function Stepper({ steps, step }: { readonly steps: readonly Step[]; readonly step: Step }) {
  const t = useWords('kyc');
  const now = steps.indexOf(step);
  const current = useRef<HTMLLIElement>(null);
  const shownStep = useRef(step);
  // The button to the next step is at the bottom of the form, so the focus is moved to the list of steps at the top.
  useEffect(() => {
    if (shownStep.current !== step) current.current?.focus();
    shownStep.current = step;
  }, [step]);
  return (
    <ol className={css.stepper} aria-label={t('steps')}>
      {[...steps.map((candidate) => t(STEP_WORDS[candidate])), t('stepDone')].map((name, index) => (
        <li
          key={name}
          ref={index === now ? current : undefined}
          tabIndex={index === now ? -1 : undefined}
          aria-current={index === now ? 'step' : undefined}
          data-state={index < now ? 'done' : index === now ? 'now' : undefined}
        >
          <span aria-hidden="true">{index + 1}</span>
          {name}
        </li>
      ))}
    </ol>
  );
}

function DemoNote({ onSample }: { readonly onSample: () => void }) {
  const t = useWords('kyc');
  return (
    <div className={css.demo}>
      <Banner tone="warning">
        <div className={css.demoText}>
          <p>
            <b>{t('demoTitle')}</b> · {t('demoText')}
          </p>
          <Button size="s" look="secondary" onClick={onSample}>
            {t('sample')}
          </Button>
        </div>
      </Banner>
    </div>
  );
}

interface SummaryProps {
  readonly verification: Verification;
  readonly control: VerifyControl;
}

/**
 * Summary of the identity verification before it is submitted: the input, and the stored values of fields that are not
 * requested again.
 */
function Summary({ verification, control }: SummaryProps) {
  const t = useWords('kyc');
  const locale = useLocale();
  const row = (field: 'country' | 'name' | 'idCard', text: string) =>
    verification.fields.includes(field) ? control.form.values[field] : text;
  return (
    <>
      <dl className={css.facts}>
        <div>
          <dt>{t('country')}</dt>
          <dd>{countryName(row('country', verification.country), locale)}</dd>
        </div>
        <div>
          <dt>{t('name')}</dt>
          <dd>{row('name', verification.name)}</dd>
        </div>
        <div>
          <dt>{t('number')}</dt>
          <dd>{row('idCard', verification.idCard)}</dd>
        </div>
      </dl>
      <div className={css.photos}>
        {control.photos.map(({ side, control: { state } }) => {
          const label = t(side);
          return (
            <figure key={label} className={css.picture}>
              {'preview' in state ? (
                <img src={state.preview} alt={label} />
              ) : (
                <p className={css.kept}>{t('kept')}</p>
              )}
              <figcaption>{label}</figcaption>
            </figure>
          );
        })}
      </div>
    </>
  );
}

/** A drawn sample document that shows what a good photo looks like. */
function ExampleCard({ side }: { readonly side: 'front' | 'back' }) {
  const t = useWords('kyc');
  return (
    <svg
      width="132"
      height="84"
      viewBox="0 0 132 84"
      role="img"
      aria-label={t(side === 'front' ? 'exampleFront' : 'exampleBack')}
    >
      <rect x="1" y="1" width="130" height="82" rx="8" fill="var(--surface-1)" stroke="var(--line-strong)" />
      <rect x="1" y="1" width="130" height="16" rx="8" fill="var(--accent-soft)" />
      {side === 'front' ? (
        <>
          <rect x="12" y="26" width="34" height="44" rx="4" fill="var(--accent-soft)" />
          <circle cx="29" cy="41" r="8" fill="var(--accent)" />
          <path d="M15 70c2-12 26-12 28 0z" fill="var(--accent)" />
          {[28, 40, 52].map((y) => (
            <rect
              key={y}
              x="56"
              y={y}
              width={y === 52 ? 36 : 62}
              height="6"
              rx="3"
              fill="var(--line-strong)"
            />
          ))}
        </>
      ) : (
        <>
          <rect x="12" y="26" width="108" height="12" fill="var(--line-strong)" />
          {[48, 60].map((y) => (
            <rect
              key={y}
              x="12"
              y={y}
              width={y === 60 ? 60 : 108}
              height="6"
              rx="3"
              fill="var(--line-strong)"
            />
          ))}
        </>
      )}
    </svg>
  );
}
