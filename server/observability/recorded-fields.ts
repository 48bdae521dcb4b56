// Picks the fields of a call that the audit trail records, such as the points of a command and their values. Bounds their number
// and length, because the input is a caller's.
import { excerpt } from '#shared/excerpt.ts'

/** Maximum number of values in one audit line; the line says how many items of lists it leaves out. */
const VALUES_MAX = 100
const TEXT_MAX_CHARACTERS = 200

export interface RecordedFields {
  fields: unknown
  /** Number of list items that are not recorded. */
  omitted?: number
}

export interface RecordedBefore {
  /** Fields of the object of a call before the call. */
  before: unknown
  /** When they were read, if not for this call: other changes since then are missing. */
  beforeReadAt?: string
}

/** The fields below a field; `true` for a field that holds a value or a list of values. */
type Tree = Map<string, Tree | true>

/**
 * @param paths fields such as `projectName`, or `points.value` for the value of each item of `points`
 * @returns the function that picks them; null if the input has none of them
 */
export function fieldPicker(paths: readonly string[]): (input: unknown) => RecordedFields | null {
  const tree = treeOf(paths)
  return (input) => {
    const budget = { left: VALUES_MAX, omitted: 0 }
    const fields = pick(input, tree, budget)
    if (fields === undefined) return null
    return budget.omitted === 0 ? { fields } : { fields, omitted: budget.omitted }
  }
}

function treeOf(paths: readonly string[]): Tree {
  const root: Tree = new Map()
  for (const path of paths) {
    let node = root
    const names = path.split('.')
    const last = names.pop() ?? ''
    for (const name of names) {
      const below = node.get(name)
      const next: Tree = below instanceof Map ? below : new Map()
      node.set(name, next)
      node = next
    }
    node.set(last, true)
  }
  return root
}

interface Budget {
  left: number
  omitted: number
}

function pick(value: unknown, tree: Tree | true, budget: Budget): unknown {
  if (Array.isArray(value)) return pickItems(value, tree, budget)
  if (typeof value === 'object' && value !== null)
    return tree === true ? undefined : pickFields(value, tree, budget)
  if (tree !== true || value === undefined) return undefined
  budget.left -= 1
  return typeof value === 'string' ? excerpt(value, TEXT_MAX_CHARACTERS) : value
}

function pickItems(items: unknown[], tree: Tree | true, budget: Budget): unknown[] {
  const picked: unknown[] = []
  for (const item of items) {
    if (budget.left <= 0) budget.omitted += 1
    else picked.push(pick(item, tree, budget))
  }
  return picked
}

function pickFields(object: object, tree: Tree, budget: Budget): object | undefined {
  const picked = [...tree].flatMap(([name, below]) => {
    const value = pick((object as Record<string, unknown>)[name], below, budget)
    return value === undefined ? [] : [[name, value] as const]
  })
  return picked.length === 0 ? undefined : Object.fromEntries(picked)
}
