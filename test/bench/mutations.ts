// The small changes to a source that a test has to notice: each is one place, told as what was changed to what.
import { parseAst } from 'rolldown/parseAst'

export interface Mutation {
  start: number
  end: number
  /** What comes in the place. */
  text: string
}

interface Node {
  type: string
  start: number
  end: number
  [field: string]: unknown
}

const OPERATORS: Record<string, string> = {
  '&&': '||',
  '||': '&&',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '==='
}
/** What holds no code that runs, or text that is no behaviour. */
const PASSED_OVER =
  /^TS(?!AsExpression|SatisfiesExpression|NonNullExpression)|^Import|^ExportAll|^TemplateElement/

/** All that can be done to a source. Throws when it is no TypeScript. */
export function mutationsOf(source: string): Mutation[] {
  const found: Mutation[] = []
  const at = ({ start, end }: Node, text: string) => found.push({ start, end, text })
  const visit = (node: Node) => {
    if (PASSED_OVER.test(node.type)) return
    mutate(node, source, at)
    for (const [field, value] of Object.entries(node)) {
      // The key of a property is a name, and the source of an import a place.
      if (field === 'source' || (field === 'key' && node.computed !== true)) continue
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child)
    }
  }
  visit(parseAst(source, { lang: 'ts' }) as unknown as Node)
  return found
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

function mutate(node: Node, source: string, at: (node: Node, text: string) => void): void {
  const { type, operator, value } = node
  const textOf = ({ start, end }: Node) => source.slice(start, end)
  if (type === 'LogicalExpression' || type === 'BinaryExpression') {
    const [left, right] = [node.left as Node, node.right as Node]
    const other = OPERATORS[String(operator)]
    if (other) at(node, `(${textOf(left)}) ${other} (${textOf(right)})`)
  } else if (type === 'IfStatement' || type === 'ConditionalExpression') {
    const test = node.test as Node
    at(test, `!(${textOf(test)})`)
  } else if (type === 'ExpressionStatement') {
    if (node.directive === undefined) at(node, ';')
  } else if (type === 'ReturnStatement') {
    if (node.argument) at(node, 'return;')
  } else if (type === 'ThrowStatement') at(node, ';')
  else if (type === 'Literal') {
    if (typeof value === 'string' && value !== '') at(node, "''")
    else if (typeof value === 'number') at(node, String(value + 1))
    else if (typeof value === 'boolean') at(node, String(!value))
  }
}
