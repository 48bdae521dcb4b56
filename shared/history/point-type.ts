// The type of a point, from the tags and facets of the upstream's model, and the meaning of its recorded values.
import type { PointModel } from '../answers/points.ts'

export const POINT_KINDS = ['Numeric', 'Boolean', 'Enum', 'String'] as const
export type PointKind = (typeof POINT_KINDS)[number]

export interface PointType {
  kind: PointKind
  units: string
  /** The texts of an enum, by ordinal. */
  texts: readonly { ordinal: number; text: string }[]
  trueText: string
  falseText: string
}

export function pointTypeOf({ tags, facets }: Pick<PointModel, 'tags' | 'facets'>): PointType {
  const tagTexts = textsOf(tags)
  const kind = kindOf(tagTexts)
  return {
    kind,
    units: tagTexts.units ?? (typeof facets?.units === 'string' ? facets.units : ''),
    texts: kind === 'Enum' ? ordinalsOf(tagTexts.range) : [],
    trueText: tagTexts.trueText || 'true',
    falseText: tagTexts.falseText || 'false'
  }
}

function kindOf({ dataType = '', type = '' }: Record<string, string>): PointKind {
  const typeText = `${dataType} ${type}`.toLowerCase()
  return POINT_KINDS.find((kind) => typeText.includes(kind.toLowerCase())) ?? 'String'
}

/** The values as texts, without empty ones. */
export function textsOf(values: unknown): Record<string, string> {
  if (typeof values !== 'object' || values === null) return {}
  const entries = Object.entries(values).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)])
  )
}

function ordinalsOf(range = ''): PointType['texts'] {
  return range.split(',').flatMap((part) => {
    const [, ordinal, text = ''] = /^\s*(-?\d+)\s*=(.*)$/s.exec(part) ?? []
    return ordinal === undefined ? [] : [{ ordinal: Number(ordinal), text: text.trim() || ordinal }]
  })
}

export const isState = ({ kind }: Pick<PointType, 'kind'>) => kind === 'Boolean' || kind === 'Enum'

export function stateTexts({ kind, texts, trueText, falseText }: PointType) {
  if (kind === 'Enum') return texts
  return [
    { ordinal: 0, text: falseText },
    { ordinal: 1, text: trueText }
  ]
}

/** The value on a chart: a number, for booleans 0 or 1, for enums the ordinal; NaN without a value. */
export function chartValue(point: PointType, value: unknown) {
  if (value === null || value === undefined || value === '') return Number.NaN
  if (point.kind === 'Boolean') {
    const state = booleanOf(point, value)
    return state === null ? Number.NaN : Number(state)
  }
  if (point.kind === 'Enum' && typeof value === 'string') {
    const match = point.texts.find(({ text }) => text === value)
    if (match) return match.ordinal
  }
  if (typeof value === 'boolean') return Number(value)
  const number = Number(value)
  return Number.isFinite(number) ? number : Number.NaN
}

/** Null for another text. */
export function booleanOf(
  { trueText, falseText }: Pick<PointType, 'trueText' | 'falseText'>,
  value: unknown
) {
  const text = String(value).trim().toLowerCase()
  if (['true', '1', trueText.toLowerCase()].includes(text)) return true
  return ['false', '0', falseText.toLowerCase()].includes(text) ? false : null
}

/** The flags of a value that is not valid, as in Niagara. A value in alarm or overridden is valid. */
const INVALID_FLAGS = ['disabled', 'fault', 'down', 'stale', 'null']

/** Whether a recorded value is valid. @param status flags such as "fault" or "{down,stale}"; mostly there are none */
export function isValidStatus(status: string | null | undefined): boolean {
  if (!status) return true
  return !status.split(/[{},]/).some((flag) => INVALID_FLAGS.includes(flag.trim()))
}
