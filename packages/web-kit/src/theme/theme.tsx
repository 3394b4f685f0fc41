import './base.css';
import './tokens.css';
import { MantineProvider, createTheme, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import '@mantine/core/styles/default-css-variables.layer.css';
import { type ReactNode, useEffect } from 'react';
import { create } from 'zustand';
import { currentLocale, onLocale, useLocale, type Locale } from '../i18n/words.ts';
import { readStored, store } from '../storage.ts';
import { setBrowserColour } from './surfaces.ts';

const theme = createTheme({ respectReducedMotion: true });

/** Provider of the theme: the dark or light colour scheme that the system sets, until the user chooses one. */
export function Theme({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      // Our own style sheets contain the variables of the UI library, because the content security policy forbids the
      // style elements that the library would add.
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <UpColour />
      <BrowserColour />
      {children}
    </MantineProvider>
  );
}

function UpColour() {
  const colour = useUpDownColours().up;
  useEffect(() => {
    document.documentElement.dataset['upColour'] = colour;
  }, [colour]);
  return null;
}

/** Keeps the theme colour of the browser equal to the page background. */
function BrowserColour() {
  const { scheme } = useColourScheme();
  useEffect(() => setBrowserColour(scheme), [scheme]);
  return null;
}

export type ColourSchemeChoice = 'system' | 'dark' | 'light';

/** The active colour scheme, the user's choice (`system` if none), and a function that sets the choice. */
export function useColourScheme() {
  // The UI library can disable CSS transitions during a change of the colour scheme only with a style
  // element, which the content security policy forbids, so the transitions are kept.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const scheme = useComputedColorScheme('dark', { getInitialValueInEffect: false });
  return {
    scheme,
    choice: colorScheme === 'auto' ? ('system' as const) : colorScheme,
    choose: (choice: ColourSchemeChoice) => setColorScheme(choice === 'system' ? 'auto' : choice),
  };
}

/** Colours of rising and falling prices that the user can choose: green and red, red and green, or red and blue. */
export const UP_COLOURS = ['green', 'red', 'redBlue'] as const;
export type UpColour = (typeof UP_COLOURS)[number];

/** Translation key (namespace `shell`) of the name of each choice of price colours. */
export const UP_COLOUR_WORDS = {
  green: 'greenUp',
  red: 'redUp',
  redBlue: 'redUpBlueDown',
} as const satisfies Readonly<Record<UpColour, string>>;

/** The usual price colours of those languages in which they are not `green`. */
const DEFAULT_COLOURS: ReadonlyMap<Locale, UpColour> = new Map([
  ['zh-CN', 'red'],
  ['ko-KR', 'redBlue'],
]);

/** Returns the usual price colours of a language, which apply until the user chooses others. */
function coloursOf(locale: Locale): UpColour {
  return DEFAULT_COLOURS.get(locale) ?? 'green';
}

/**
 * The colours of rising and falling prices: those that the user has chosen, otherwise the usual ones of the language;
 * and a function that sets them.
 */
export function useUpDownColours() {
  const { chosen, choose } = useUpColourChoice();
  const locale = useLocale();
  return { up: chosen ?? coloursOf(locale), choose };
}

const KEY = 'up-colour';

/**
 * Keeps the price colours unchanged when the language changes and the user has not chosen colours: a user who knows a
 * green Buy button must not see it turn red. If the usual colours of the new language differ, `suggested` is set to
 * them, so that the user is asked once. Returns a function that removes the listener.
 */
export function holdColoursAcrossLanguages(): () => void {
  let before = currentLocale();
  return onLocale(() => {
    const previousColours = coloursOf(before);
    before = currentLocale();
    // If the user has not yet answered whether to use the price colours of an earlier chosen language, that
    // question is withdrawn.
    useUpColourChoice.setState({ suggested: undefined });
    if (useUpColourChoice.getState().chosen !== undefined || coloursOf(before) === previousColours) return;
    store(KEY, previousColours);
    useUpColourChoice.setState({
      chosen: previousColours,
      suggested: coloursOf(before),
    });
  });
}

interface UpColourChoice {
  /**
   * The price colours that the user has chosen, or that were kept when the language changed; undefined if neither has
   * happened.
   */
  readonly chosen: UpColour | undefined;
  /** The usual price colours of the new language, while the user is asked whether to use them; otherwise undefined. */
  readonly suggested: UpColour | undefined;
  /** Sets the price colours, stores them on this device, and closes the question. */
  readonly choose: (colour: UpColour) => void;
}

/** Store of the price colours of this device, and of the question about them. */
export const useUpColourChoice = create<UpColourChoice>((set) => ({
  chosen: storedColour(),
  suggested: undefined,
  choose: (colour) => {
    store(KEY, colour);
    set({ chosen: colour, suggested: undefined });
  },
}));

function storedColour(): UpColour | undefined {
  const colour = readStored(KEY);
  return UP_COLOURS.find((candidate) => candidate === colour);
}
