// Describes the points of equipment.
import type { Signal } from '../signals.ts'

interface Common {
  name: string
  writable?: boolean
  unrecorded?: boolean
  onChange?: boolean
  tags?: Record<string, string>
}

export interface NumericTemplate extends Common {
  kind: 'Numeric'
  units: string
  low: number
  high: number
  precision: number
  signal: Signal
}

export interface BooleanTemplate extends Common {
  kind: 'Boolean'
  falseText: string
  trueText: string
  signal: Signal
}

export interface EnumTemplate extends Common {
  kind: 'Enum'
  texts: string[]
  signal: Signal
}

export interface StringTemplate extends Common {
  kind: 'String'
  text: (seed: number) => string
}

export type Template = NumericTemplate | BooleanTemplate | EnumTemplate | StringTemplate

export interface Equipment {
  points: Template[]
  units?: { name: string; atLeast: number; atMost: number; points: Template[] }
}

type Extra = Omit<Common, 'name'>

export function numeric(
  name: string,
  units: string,
  [low, high]: [number, number],
  signal: Signal,
  extra: Extra & { precision?: number } = {}
): NumericTemplate {
  const { precision = 1, ...rest } = extra
  return { kind: 'Numeric', name, units, low, high, signal, precision, ...rest }
}

export function boolean(
  name: string,
  [falseText, trueText]: [string, string],
  signal: Signal,
  extra: Extra = {}
): BooleanTemplate {
  return { kind: 'Boolean', name, falseText, trueText, signal, ...extra }
}

export function choice(name: string, texts: string[], signal: Signal, extra: Extra = {}): EnumTemplate {
  return { kind: 'Enum', name, texts, signal, ...extra }
}

export function text(name: string, value: (seed: number) => string): StringTemplate {
  return { kind: 'String', name, text: value, unrecorded: true }
}

export const WRITABLE = { writable: true } as const
export const COMMAND = { ...WRITABLE, tags: { function: 'command' } }
export const STATUS = { tags: { function: 'status' } }
export const WHOLE = { precision: 0 }
export const ON: [string, string] = ['Off', 'On']
export const ALARM: [string, string] = ['Normal', 'Alarm']

export const temp = (medium: string) => (place: string) => ({
  tags: { medium, quantity: 'temp', function: 'sensor', place }
})
export const target = (medium: string) => (place: string) => ({
  ...WRITABLE,
  tags: { medium, quantity: 'temp', function: 'setpoint', place }
})
