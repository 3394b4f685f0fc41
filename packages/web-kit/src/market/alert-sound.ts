import { useSyncExternalStore } from 'react';
import { onRemembered, recall, remember } from '../storage.ts';

/** The choice of this device; nobody's account has it. */
const KEY = 'alert-sound';
const ON = '1';

/** Two short tones: Hertz, and seconds after the beginning. */
const TONES = [
  { frequency: 880, at: 0 },
  { frequency: 1_320, at: 0.16 },
] as const;
const TONE_SECONDS = 0.14;
const LOUDNESS = 0.15;

const followers = new Set<() => void>();
let context: AudioContext | undefined;

/** Whether price alerts ring on this device; off until somebody switches it on. */
export function hasAlertSound(): boolean {
  return recall(KEY) === ON;
}

/** The same as React state. */
export function useAlertSound(): boolean {
  return useSyncExternalStore(follow, hasAlertSound);
}

function follow(changed: () => void): () => void {
  followers.add(changed);
  const stop = onRemembered(KEY, changed);
  return () => {
    followers.delete(changed);
    stop();
  };
}

/** Switches the sound of price alerts on this device, and plays it when it is switched on: the press allows it to. */
export function setAlertSound(isOn: boolean): void {
  remember(KEY, isOn ? ON : null);
  for (const changed of followers) changed();
  if (isOn) void playAlertSound();
}

/**
 * Browsers play nothing before somebody has pressed something on the page. Makes the first press or key allow it, where the
 * sound is on; gives the way to stop waiting for that.
 */
export function allowSoundAtFirstPress(): () => void {
  const stop = () => {
    window.removeEventListener('pointerdown', allow);
    window.removeEventListener('keydown', allow);
  };
  const allow = () => {
    if (!hasAlertSound()) return;
    void audio()?.resume();
    stop();
  };
  window.addEventListener('pointerdown', allow);
  window.addEventListener('keydown', allow);
  return stop;
}

/** Plays the sound of an alert. Gives whether the browser let it. */
export async function playAlertSound(): Promise<boolean> {
  const output = audio();
  if (output === undefined) return false;
  if (output.state !== 'running') {
    // Without a press on the page this may stay unanswered for ever; the alert is shown in any case.
    void output.resume();
    await Promise.resolve();
    if (output.state === 'suspended' && !navigator.userActivation?.hasBeenActive) return false;
  }
  for (const { frequency, at } of TONES) {
    const tone = output.createOscillator();
    const volume = output.createGain();
    const start = output.currentTime + at;
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(LOUDNESS, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + TONE_SECONDS);
    tone.connect(volume).connect(output.destination);
    tone.start(start);
    tone.stop(start + TONE_SECONDS);
  }
  return true;
}

function audio(): AudioContext | undefined {
  if (typeof AudioContext === 'undefined') return undefined;
  context ??= new AudioContext();
  return context;
}
