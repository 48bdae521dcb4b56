import { isOutcomeUnknown } from './api-error.ts'

/** What a failed change means for the data: nothing, unless the answer was lost. */
export function consequenceText(
  error: unknown,
  unchangedText = 'Nothing was changed.',
  unknownText = 'The change may have been made anyway.'
): string {
  return isOutcomeUnknown(error) ? unknownText : unchangedText
}
