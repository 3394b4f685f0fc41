import { type KycField } from '@exchange/core/kyc.ts';
import { useRef, useState } from 'react';
import { CallRefused } from '../api/client.ts';
import { useForm, type FormState } from '../form/use-form.ts';
import { useUpload, type UploadControl } from '../form/use-upload.ts';
import { notify } from '../notify.ts';
import { useSubmitVerification, type Verification, type VerificationFields } from './queries.ts';
import { sampleDocument } from './sample-document.ts';
import {
  detailsProblems,
  NO_DETAILS,
  sampleDetails,
  stepsOf,
  type DetailsForm,
  type Step,
} from './verify-model.ts';

const DETAILS = ['country', 'name', 'idCard'] as const;

/** A picture of the form, with the field that it is sent in. */
export interface Photo {
  readonly field: KycField;
  readonly side: 'front' | 'back';
  readonly control: UploadControl;
  readonly isMissed: boolean;
}

/** A submission on screen: what is typed, the pictures, the step, and the deed. */
export interface VerifyControl {
  readonly form: FormState<DetailsForm>;
  readonly photos: readonly Photo[];
  readonly steps: readonly Step[];
  readonly step: Step;
  readonly back: () => void;
  /** Goes on where the step is complete, and sends at the last one. */
  readonly go: () => void;
  readonly isBusy: boolean;
  readonly takeSample: () => Promise<void>;
}

export function useVerify(verification: Verification): VerifyControl {
  const wanted = verification.fields;
  const form = useForm(NO_DETAILS, (values) => detailsProblems(values, wanted, verification));
  const [front, back] = [useUpload('identity'), useUpload('identity')];
  const steps = stepsOf(wanted);
  const [step, setStep] = useState<Step>(steps[0]!);
  const [isChecked, setChecked] = useState(false);
  const key = useRef(crypto.randomUUID());
  const submit = useSubmitVerification();
  const photos = (
    [
      ['idCardPhotoPositive', 'front', front],
      ['idCardPhotoReverseSide', 'back', back],
    ] as const
  ).map(([field, side, control]) => {
    const isMissing = wanted.includes(field) && control.state.status !== 'done';
    return { field, side, control, isMissing, isMissed: isChecked && isMissing };
  });
  const move = (by: 1 | -1) => setStep(steps[steps.indexOf(step) + by] ?? step);

  const send = async () => {
    const fields: VerificationFields = {};
    for (const field of DETAILS) if (wanted.includes(field)) fields[field] = form.values[field];
    for (const { field, control } of photos)
      if (control.state.status === 'done') fields[field] = control.state.id;
    try {
      await submit.mutateAsync({ fields, key: key.current });
    } catch (error) {
      // Reason: refused, or not come through; shown at its field or as a notice, and all that was given stays.
      if (error instanceof CallRefused) key.current = crypto.randomUUID();
      if (form.refuse(error)) setStep('details');
      else notify.failure(error);
    }
  };
  return {
    ...{ form, photos, steps, step, isBusy: submit.isPending, back: () => move(-1) },
    go: () => {
      if (step === 'check') void send();
      else if (step === 'photos') {
        setChecked(true);
        if (!photos.some(({ isMissing }) => isMissing)) move(1);
      } else if (form.check()) move(1);
    },
    takeSample: async () => {
      const details = sampleDetails(Math.random);
      for (const field of DETAILS) form.set(field, details[field]);
      front.choose(await sampleDocument('front', Object.values(details)));
      back.choose(await sampleDocument('back', []));
    },
  };
}
