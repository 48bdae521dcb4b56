// The texts that sum up a file's differences, before, while and after they are applied.
import { count, formatNumber } from '../../../../lib/format.ts'
import type { PlannedRow } from './plan.ts'
import type { RowGroups, Run } from './result.ts'

export interface OpenFile {
  id: number
  name: string
  /** Whether the file has the previous values of devices that were just changed. */
  isUndo: boolean
  /** Whether letters such as "ü" may be wrong. */
  isEncodingGuessed: boolean
  plan: readonly PlannedRow[]
  /** The number of the customer's devices that are not in the file. */
  absentCount: number
}

export function headingOf(groups: RowGroups, { results, running }: Run): string {
  const { changes, refused, unchanged, done, open, unknown, triedCount } = groups
  if (running) {
    const failedCount = triedCount - done.length
    const failed = failedCount > 0 ? `, ${formatNumber(failedCount)} failed` : ''
    return `${formatNumber(triedCount)} of ${count(changes.length, 'change')} done${failed}`
  }
  if (results !== null) {
    const failedCount = open.length - unknown.length
    const failed = failedCount > 0 ? `, ${formatNumber(failedCount)} not changed` : ''
    const notKnown = unknown.length > 0 ? `, ${formatNumber(unknown.length)} not known` : ''
    return `${count(done.length, 'device')} changed${failed}${notKnown}`
  }
  if (changes.length === 0 && refused.length === 0) return 'The file has no differences'
  const parts = [
    count(changes.length, 'change'),
    `${count(refused.length, 'row')} refused`,
    `${formatNumber(unchanged.length)} unchanged`
  ]
  return parts.join(', ')
}

/** @param isStored whether the browser has stored the previous values */
export function explanationOf(
  file: OpenFile,
  groups: RowGroups,
  { results }: Run,
  isStored: boolean
): string {
  const sentences =
    results === null ? explainDifferences(file, groups) : explainResults(groups, isStored && !file.isUndo)
  return sentences.join(' ')
}

function explainDifferences(
  { name, isUndo, isEncodingGuessed, absentCount }: OpenFile,
  { changes }: RowGroups
): string[] {
  const source = isUndo
    ? 'Compared with the previous values of the devices that you changed.'
    : `Compared with ${name}.`
  const sentences = [source]
  if (changes.length > 0) sentences.push('Nothing has changed yet.')
  if (isEncodingGuessed)
    sentences.push('The file is not UTF-8: check letters such as “ü” before you apply the changes.')
  if (absentCount > 0 && !isUndo)
    sentences.push(`Devices that are not in the file stay as they are: ${formatNumber(absentCount)}.`)
  return sentences
}

function explainResults({ done, open, unknown }: RowGroups, areKept: boolean): string[] {
  const sentences: string[] = []
  if (open.length > unknown.length)
    sentences.push('Devices that are not changed are as before: try them again.')
  if (unknown.length > 0)
    sentences.push(
      `${count(unknown.length, 'device')} may have changed: the answer was lost, and reading again failed. Try again.`
    )
  if (done.length > 0 && areKept)
    sentences.push(
      'The previous values are kept in this browser until you sign out or apply another file. Save the undo file to keep them longer.'
    )
  return sentences
}

/** For screen readers: changes each time another quarter of the changes is done. */
export function milestoneOf({ changes, triedCount }: RowGroups): string {
  const quarters = Math.floor((4 * triedCount) / changes.length)
  return `${formatNumber(Math.floor((quarters * changes.length) / 4))} of ${count(changes.length, 'change')} done`
}

/** The question before the person leaves unfinished work; null if nothing would be lost. */
export function lossOf({ changes, open }: RowGroups, { results, running }: Run) {
  if (running)
    return {
      question: 'Stop and leave?',
      text: `${count(open.length, 'device')} will stay as before. Devices that are already changed stay changed.`
    }
  if (results !== null || changes.length === 0) return null
  return {
    question: 'Leave without applying the changes?',
    text: `${count(changes.length, 'change')} will not be made. Your file stays as it is, and you can choose it again.`
  }
}
