// Which values may be written to a point of each kind.
import type { Template } from '../../simulation/equipment/template.ts'
import type { PointValue } from '../../simulation/points.ts'

export class Refused extends Error {}

export function readValue(template: Template, value: unknown): PointValue {
  if (template.kind === 'Numeric') {
    if (typeof value !== 'number' || !Number.isFinite(value)) throw new Refused('the value must be a number')
    if (value < template.low || value > template.high)
      throw new Refused(`the value must lie between ${template.low} and ${template.high}`)
    return value
  }
  if (template.kind === 'Boolean') {
    if (typeof value === 'boolean') return value
    if (value === template.trueText || value === template.falseText) return value === template.trueText
    throw new Refused(`the value must be true or false`)
  }
  if (template.kind === 'Enum') {
    const ordinal = typeof value === 'string' ? template.texts.indexOf(value) : value
    if (typeof ordinal === 'number' && template.texts[ordinal] !== undefined) return ordinal
    throw new Refused(`the value must be one of ${template.texts.join(', ')}`)
  }
  throw new Refused('the point is not writable')
}
