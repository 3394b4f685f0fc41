import { type KycField } from '@exchange/core/kyc.ts';
import { useRef, useState } from 'react';
import { CallRefused } from '../api/client.ts';
import { useForm, type FormState, useFirstProblem } from '../form/use-form.ts';
import { useUnfinished, type Unfinished } from '../form/use-unfinished.ts';
import { useUpload, type UploadControl } from '../form/use-upload.ts';
import { notify } from '../notify.ts';
import { useSubmitVerification, type Verification, type VerificationFields } from './queries.ts';
import {
  detailsProblems,
  NO_DETAILS,
  sampleDetails,
  stepsOf,
  type DetailsForm,
  type Step,
} from './verify-model.ts';
import { randomId } from '../random-id.ts';
import { useHistoryLayer } from '../ui/overlay-history.ts';

const DETAILS = ['country', 'name', 'idCard'] as const;

/** The upload of the front or the back of an identity document, and the form field to which it belongs. */
export interface Photo {
  readonly field: KycField;
  readonly side: 'front' | 'back';
  readonly control: UploadControl;
  readonly isMissed: boolean;
}

/** State of the identity verification form: its fields, photos, current step, and actions. */
export interface VerifyControl {
  readonly form: FormState<DetailsForm>;
  readonly photos: readonly Photo[];
  readonly steps: readonly Step[];
  readonly step: Step;
  readonly back: () => void;
  /**
   * Goes to the next step if the current step is complete, otherwise shows what is missing or invalid; in the
   * last step, submits the form.
   */
  readonly continue: () => void;
  readonly isBusy: boolean;
  /** State of the dialog that asks the user to confirm leaving the form, in which unsaved input would be lost. */
  readonly unfinished: Unfinished;
  readonly uploadSample: () => Promise<void>;
}

export function useVerify(verification: Verification): VerifyControl {
  const requestedFields = verification.fields;
  const form = useForm(NO_DETAILS, (values) => detailsProblems(values, requestedFields, verification));
  const [front, back] = [useUpload('identity'), useUpload('identity')];
  const steps = stepsOf(requestedFields);
  const [step, setStep] = useState<Step>(steps[0]!);
  const [isChecked, setChecked] = useState(false);
  const toFirstProblem = useFirstProblem();
  const key = useRef(randomId());
  const submit = useSubmitVerification();
  const photos = (
    [
      ['idCardPhotoPositive', 'front', front],
      ['idCardPhotoReverseSide', 'back', back],
    ] as const
  ).map(([field, side, control]) => {
    const isMissing = requestedFields.includes(field) && control.state.status !== 'done';
    return { field, side, control, isMissing, isMissed: isChecked && isMissing };
  });
  const at = steps.indexOf(step);
  const move = (offset: 1 | -1) => setStep(steps[at + offset] ?? step);
  const hasContent =
    DETAILS.some((field) => form.values[field] !== '') ||
    photos.some(({ control }) => control.state.status !== 'empty');
  const unfinished = useUnfinished(hasContent);
  // The browser's Back button returns to the previous step of the form. In the first step it leaves the
  // screen, after a confirmation if the form has content.
  useHistoryLayer(at >= 1, () => move(-1));
  useHistoryLayer(at >= 2, () => move(-1));

  const send = async () => {
    const fields: VerificationFields = {};
    for (const field of DETAILS) if (requestedFields.includes(field)) fields[field] = form.values[field];
    for (const { field, control } of photos)
      if (control.state.status === 'done') fields[field] = control.state.id;
    try {
      await submit.mutateAsync({ fields, key: key.current });
    } catch (error) {
      // The request was refused or failed. The error is shown at its field, otherwise in a notification, and the input
      // does not change.
      if (error instanceof CallRefused) key.current = randomId();
      if (form.refuse(error)) setStep('details');
      else notify.failure(error);
    }
  };
  return {
    form,
    photos,
    steps,
    step,
    unfinished,
    isBusy: submit.isPending,
    back: () => move(-1),
    continue: () => {
      if (step === 'check') void send();
      else if (step === 'photos') {
        const isMissing = photos.some((photo) => photo.isMissing);
        setChecked(true);
        toFirstProblem(isMissing);
        if (!isMissing) move(1);
      } else if (form.check()) move(1);
    },
    uploadSample: async () => {
      const details = sampleDetails(Math.random);
      for (const field of DETAILS) form.set(field, details[field]);
      front.choose(await sampleDocument('front', Object.values(details)));
      back.choose(await sampleDocument('back', []));
    },
  };
}

/** Width and height of the sample card in pixels, in the proportions of an ID card. */
const [WIDTH, HEIGHT] = [1_000, 630];

/** Draws a fictitious identity card for demo mode, marked as a sample. */
async function sampleDocument(side: 'front' | 'back', words: readonly string[]): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const pen = canvas.getContext('2d');
  if (pen === null) throw new Error('this browser draws nothing');
  pen.fillStyle = side === 'front' ? '#ddd6fe' : '#e2e8f0';
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  pen.fillStyle = '#4c1d95';
  pen.fillRect(0, 0, WIDTH, 90);
  pen.fillStyle = '#ffffff';
  pen.font = 'bold 44px sans-serif';
  pen.fillText('SAMPLE', 40, 60);
  pen.fillStyle = '#1e1b2e';
  if (side === 'front') {
    pen.fillStyle = '#a78bfa';
    pen.fillRect(40, 140, 260, 330);
    pen.fillStyle = '#1e1b2e';
    pen.font = '36px sans-serif';
    for (const [line, text] of words.entries()) pen.fillText(text, 350, 190 + line * 80);
  } else {
    for (let line = 0; line < 5; line += 1) pen.fillRect(40, 160 + line * 70, WIDTH - 80 - line * 60, 24);
  }
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('no picture')) : resolve(blob)),
      'image/jpeg',
      0.9,
    );
  });
}
