// The operations of the contract, each with its members and a request to run.

import { useSignal } from '@preact/signals';
import { words } from '../words';
import { Prose } from './Prose';

interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  oneOf?: Schema[];
  enum?: unknown[];
}

interface Operation {
  summary?: string;
  description?: string;
  requestBody?: { content: Record<string, { schema?: Schema; example?: unknown; examples?: Record<string, { summary?: string; value: unknown }> }> };
  parameters?: { name: string; in: string; description?: string; required?: boolean; schema?: Schema }[];
  responses: Record<string, { description?: string; content?: Record<string, { schema?: Schema }> }>;
}

export interface Contract {
  info: { title: string; version: string; description?: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const VERBS = ['get', 'post', 'delete'] as const;

export function Operations({ contract }: { contract: Contract }) {
  const operations = Object.entries(contract.paths).flatMap(([path, verbs]) => VERBS.flatMap((verb) => (verbs[verb] ? [{ path, verb, operation: verbs[verb] }] : [])));
  return (
    <>
      <h2>{contract.info.title} {contract.info.version}</h2>
      <Prose text={contract.info.description ?? ''} />
      <p><a href="/openapi.yaml">openapi.yaml</a> <a href="/openapi.json">openapi.json</a></p>
      {operations.map(({ path, verb, operation }) => <OperationView key={verb + path} path={path} verb={verb} operation={operation} contract={contract} />)}
    </>
  );
}

function OperationView({ path, verb, operation, contract }: { path: string; verb: string; operation: Operation; contract: Contract }) {
  const media = operation.requestBody?.content['application/json'];
  const schema = media?.schema && resolve(media.schema, contract);
  return (
    <details class="operation">
      <summary><code class="verb">{verb.toUpperCase()}</code> <code>{path}</code> {operation.summary}</summary>
      <Prose text={operation.description ?? ''} />
      {(operation.parameters ?? []).length > 0 && <Parameters parameters={operation.parameters!} />}
      {schema && <Members schema={schema} contract={contract} />}
      <Responses responses={operation.responses} contract={contract} />
      <Runner path={path} verb={verb} examples={examplesOf(media)} />
    </details>
  );
}

function resolve(schema: Schema, contract: Contract): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name ? (contract.components.schemas[name] ?? {}) : schema;
}

function typeName(schema: Schema): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1)!;
  if (schema.oneOf) return schema.oneOf.map(typeName).join(' | ');
  if (schema.items) return `${typeName(schema.items)}[]`;
  return [schema.type ?? 'any'].flat().join(' | ');
}

/** Types within types that are shown; deeper ones are named. */
const DEEPEST = 2;

/** The members of a member's own type, to be opened. */
function Nested({ schema, contract, depth }: { schema: Schema; contract: Contract; depth: number }) {
  const open = useSignal(false);
  const inner = [schema, schema.items, ...(schema.oneOf ?? [])].find((one) => one?.$ref);
  const type = inner && resolve(inner, contract);
  const alternatives = type?.enum?.map(String).join(', ');
  if (alternatives) return <code>{alternatives}</code>;
  if (!type?.properties || depth >= DEEPEST) return null;
  return (
    <details onToggle={(event) => (open.value = event.currentTarget.open)}>
      <summary>{inner!.$ref!.split('/').at(-1)}</summary>
      {open.value && <Members schema={type} contract={contract} depth={depth + 1} />}
    </details>
  );
}

function Members({ schema, contract, depth = 0 }: { schema: Schema; contract: Contract; depth?: number }) {
  return (
    <div class="scroll">
      <table>
        <tbody>
          {Object.entries(schema.properties ?? {}).map(([name, member]) => (
            <tr key={name}>
              <th><code>{name}</code>{schema.required?.includes(name) ? ' *' : ''}</th>
              <td><code>{typeName(member)}</code></td>
              <td>{member.description ?? member.oneOf?.find(({ description }) => description)?.description} <Nested schema={member} contract={contract} depth={depth} /></td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Parameters({ parameters }: { parameters: NonNullable<Operation['parameters']> }) {
  return (
    <div class="scroll">
      <table>
        <tbody>
          {parameters.map(({ name, in: place, description, required, schema }) => (
            <tr key={name}>
              <th><code>{name}</code>{required ? ' *' : ''}</th>
              <td><code>{place}: {typeName(schema ?? {})}</code></td>
              <td>{description}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Statuses, what they mean, and the members of the first answer with 200 or 202. */
function Responses({ responses, contract }: { responses: Operation['responses']; contract: Contract }) {
  const answered = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content?.['application/json']?.schema;
  const schema = answered && resolve(answered, contract);
  return (
    <>
      <h3>{words().answer}</h3>
      {schema?.properties && <Members schema={schema} contract={contract} />}
      <ul class="statuses">
        {Object.entries(responses).map(([status, { description }]) => <li key={status}><code>{status}</code> {description}</li>)}
      </ul>
    </>
  );
}

function examplesOf(media: { example?: unknown; examples?: Record<string, { value: unknown }> } | undefined): unknown[] {
  if (!media) return [];
  return media.examples ? Object.values(media.examples).map(({ value }) => value) : media.example === undefined ? [{ game: 'tictactoe' }] : [media.example];
}

/** A request that can be changed and run. */
function Runner({ path, verb, examples }: { path: string; verb: string; examples: unknown[] }) {
  const target = useSignal(path.replace('{game}', 'connect4').replace('{kind}', 'illegal-move'));
  const body = useSignal(examples.length > 0 ? JSON.stringify(examples[0], null, 1) : '');
  const answer = useSignal('');
  const text = words();
  const run = async () => {
    const init = verb === 'delete' ? { method: 'DELETE' } : verb === 'post' ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: body.value } : {};
    try {
      const response = await fetch(target.value, init);
      const read = await response.text();
      answer.value = `${response.status}\n${pretty(read)}`;
    } catch {
      answer.value = text.offline;
    }
  };
  return (
    <div class="runner">
      {path.includes('{') && <input aria-label={text.request} value={target.value} onInput={(event) => (target.value = event.currentTarget.value)} />}
      {verb === 'post' && <textarea aria-label={`${text.request} ${path}`} value={body.value} onInput={(event) => (body.value = event.currentTarget.value)} />}
      {examples.length > 1 && <p class="controls">{examples.map((example, index) => <button key={index} onClick={() => (body.value = JSON.stringify(example, null, 1))}>{index + 1}</button>)}</p>}
      <p class="controls"><button class="primary" onClick={() => void run()}>{text.run}</button></p>
      {answer.value && <pre aria-label={text.answer} tabIndex={0}>{answer.value}</pre>}
    </div>
  );
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 1);
  } catch {
    return body;
  }
}
