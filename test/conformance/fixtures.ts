/**
 * The fixed tools, resources and prompts that the conformance suites expect of a server under test, as a profile of
 * their own: the product does not contain them, yet every message passes through the product's transports.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CallContext,
  type ClientAnswer,
  type ContentBlock,
  defineTool,
  type Profile,
  type PromptRecord,
  RpcError,
  type Tool,
  ToolRegistry,
  type ToolResult,
} from '../../src/contracts/index.ts';
import type { ObjectSchema } from '../../src/contracts/kit/json-schema.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';
const ANY = { type: 'object' } as const;
const NONE = { type: 'object', properties: {} } as const;

const text = (value: string): ToolResult => ({ structured: {}, text: value, textOnly: true });
const blocks = (...content: ContentBlock[]): ToolResult => ({
  structured: {},
  content,
  contentOnly: true,
  textOnly: true,
});

function tool(
  name: string,
  handle: (args: Readonly<Record<string, unknown>>, ctx: CallContext) => Promise<ToolResult> | ToolResult,
  options: Partial<Pick<Tool, 'input' | 'taskSupport'>> = {},
): Tool {
  return defineTool({
    name,
    title: name,
    description: `Fixture ${name}`,
    input: options.input ?? NONE,
    output: ANY,
    annotations: {},
    icons: [],
    taskSupport: options.taskSupport ?? 'forbidden',
    handle: async (args, ctx) => handle(args as Record<string, unknown>, ctx),
  });
}

const params = (properties: Record<string, unknown>, required: string[] = []) =>
  ({ type: 'object', properties, required }) as unknown as ObjectSchema;

const elicit = (property: string, type: string, message: string) =>
  ({
    kind: 'elicitation',
    message,
    schema: { type: 'object', properties: { [property]: { type } }, required: [property] },
  }) as const;
const content = (answer: ClientAnswer | null, key: string) =>
  answer?.kind === 'elicitation' ? String(answer.content[key]) : '';
const outcome = (answer: ClientAnswer | null) =>
  answer?.kind === 'elicitation' ? `action=${answer.action}, content=${JSON.stringify(answer.content)}` : 'unanswered';

const contentTools: Tool[] = [
  tool('test_simple_text', () => text('This is a simple text response for testing.')),
  tool('test_image_content', () => blocks({ type: 'image', data: PNG, mimeType: 'image/png' })),
  tool('test_audio_content', () => blocks({ type: 'audio', data: WAV, mimeType: 'audio/wav' })),
  tool('test_embedded_resource', () =>
    blocks({
      type: 'resource',
      resource: {
        uri: 'test://embedded-resource',
        mimeType: 'text/plain',
        text: 'This is an embedded resource content.',
      },
    }),
  ),
  tool('test_multiple_content_types', () =>
    blocks(
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', data: PNG, mimeType: 'image/png' },
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ),
  ),
  tool('test_error_handling', () => ({
    ...text('This tool intentionally returns an error for testing'),
    isError: true,
  })),
  tool('json_schema_2020_12_tool', () => text('ok'), {
    input: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    } as ObjectSchema,
  }),
  tool('test_custom_headers', (args) => text(JSON.stringify(args)), {
    input: params({ region: { type: 'string', 'x-mcp-header': 'Region' } }),
  }),
];

const messageTools: Tool[] = [
  ...['test_tool_with_logging', 'test_logging_tool'].map((name) =>
    tool(name, async (_args, ctx) => {
      ctx.notify('info', 'Tool execution started');
      await sleep(50);
      ctx.notify('info', 'Tool processing data');
      await sleep(50);
      ctx.notify('info', 'Tool execution completed');
      return text('Tool with logging executed successfully');
    }),
  ),
  tool('test_tool_with_progress', async (_args, ctx) => {
    for (const done of [0, 50, 100]) {
      ctx.progress(done, 100);
      await sleep(60);
    }
    return text('Tool with progress executed successfully');
  }),
  tool('test_reconnection', async (_args, ctx) => {
    await sleep(100);
    ctx.releaseStream?.();
    await sleep(200);
    return text('Reconnection test completed successfully.');
  }),
];

const questionTools: Tool[] = [
  tool(
    'test_sampling',
    async (args, ctx) => {
      const answer = await ctx.ask('sampling', { kind: 'sampling', prompt: String(args.prompt), maxTokens: 100 });
      return text(`LLM response: ${answer?.kind === 'sampling' ? answer.text : 'none'}`);
    },
    { input: params({ prompt: { type: 'string' } }, ['prompt']) },
  ),
  tool(
    'test_elicitation',
    async (args, ctx) => {
      const schema = {
        type: 'object',
        properties: {
          username: { type: 'string', description: "User's response" },
          email: { type: 'string', description: "User's email address" },
        },
        required: ['username', 'email'],
      };
      const answer = await ctx.ask('user', { kind: 'elicitation', message: String(args.message), schema });
      return text(`User response: ${outcome(answer)}`);
    },
    { input: params({ message: { type: 'string' } }, ['message']) },
  ),
  tool('test_elicitation_sep1034_defaults', async (_args, ctx) => {
    const schema = {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'User name', default: 'John Doe' },
        age: { type: 'integer', description: 'User age', default: 30 },
        score: { type: 'number', description: 'User score', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', description: 'Verification status', default: true },
      },
      required: [],
    };
    const answer = await ctx.ask('defaults', { kind: 'elicitation', message: 'Please review the defaults', schema });
    return text(`Elicitation completed: ${outcome(answer)}`);
  }),
  tool('test_elicitation_sep1330_enums', async (_args, ctx) => {
    const titled = ['First', 'Second', 'Third'].map((title, i) => ({
      const: `value${i + 1}`,
      title: `${title} Option`,
    }));
    const schema = {
      type: 'object',
      properties: {
        untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
        titledSingle: { type: 'string', oneOf: titled },
        legacyEnum: {
          type: 'string',
          enum: ['opt1', 'opt2', 'opt3'],
          enumNames: ['Option One', 'Option Two', 'Option Three'],
        },
        untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
        titledMulti: { type: 'array', items: { anyOf: titled } },
      },
      required: [],
    };
    const answer = await ctx.ask('enums', { kind: 'elicitation', message: 'Please choose', schema });
    return text(`Elicitation completed: ${outcome(answer)}`);
  }),
  tool('test_missing_capability', (_args, ctx) => {
    if (!ctx.canAsk('sampling'))
      throw new RpcError(-32021, 'The client does not declare sampling.', { requiredCapabilities: { sampling: {} } });
    return text('sampling is declared');
  }),
  tool('test_streaming_elicitation', async (_args, ctx) => {
    const answer = await ctx.ask('confirm', elicit('ok', 'boolean', 'Please confirm'));
    return text(outcome(answer));
  }),
];

const roundTools: Tool[] = [
  tool('test_input_required_result_elicitation', async (_args, ctx) => {
    const answer = await ctx.ask('user_name', elicit('name', 'string', 'What is your name?'));
    return text(`Hello, ${content(answer, 'name')}!`);
  }),
  tool('test_input_required_result_sampling', async (_args, ctx) => {
    const prompt = 'What is the capital of France?';
    const answer = await ctx.ask('capital_question', { kind: 'sampling', prompt, maxTokens: 100 });
    return text(answer?.kind === 'sampling' ? answer.text : 'no answer');
  }),
  tool('test_input_required_result_list_roots', async (_args, ctx) => {
    const answer = await ctx.ask('client_roots', { kind: 'roots' });
    return text(`Roots: ${answer?.kind === 'roots' ? answer.roots.map(({ uri }) => uri).join(', ') : 'none'}`);
  }),
  ...['test_input_required_result_request_state', 'test_input_required_result_tampered_state'].map((name) =>
    tool(name, async (_args, ctx) => {
      const answer = await ctx.ask('confirm', elicit('ok', 'boolean', 'Please confirm'));
      return text(`state-ok ${outcome(answer)}`);
    }),
  ),
  tool('test_input_required_result_multiple_inputs', async (_args, ctx) => {
    const answers = await Promise.all([
      ctx.ask('user_name', elicit('name', 'string', 'What is your name?')),
      ctx.ask('greeting', { kind: 'sampling', prompt: 'Generate a greeting', maxTokens: 50 }),
      ctx.ask('client_roots', { kind: 'roots' }),
    ]);
    return text(`Got ${answers.filter(Boolean).length} answers for ${content(answers[0], 'name')}`);
  }),
  tool('test_input_required_result_multi_round', async (_args, ctx) => {
    const first = await ctx.ask('step1', elicit('name', 'string', 'Step 1: What is your name?'));
    const second = await ctx.ask('step2', elicit('color', 'string', 'Step 2: What is your favorite color?'));
    return text(`${content(first, 'name')} likes ${content(second, 'color')}`);
  }),
  tool('test_input_required_result_capabilities', async (_args, ctx) => {
    await Promise.all([
      ctx.ask('user_name', elicit('name', 'string', 'What is your name?')),
      ctx.ask('greeting', { kind: 'sampling', prompt: 'Generate a greeting', maxTokens: 50 }),
    ]);
    return text('done');
  }),
];

const taskTools: Tool[] = [
  tool('greet', (args) => text(`Hello, ${args.name}!`), { input: params({ name: { type: 'string' } }) }),
  tool(
    'slow_compute',
    async (args, ctx) => {
      await sleep(Number(args.seconds ?? 0) * 1000, undefined, { signal: ctx.signal });
      return text(`computed ${args.label ?? ''}`);
    },
    { input: params({ seconds: { type: 'number' }, label: { type: 'string' } }), taskSupport: 'optional' },
  ),
  tool(
    'failing_job',
    async (_args, ctx) => {
      await sleep(1000, undefined, { signal: ctx.signal });
      return { ...text('The job failed'), isError: true };
    },
    { taskSupport: 'required' },
  ),
  tool(
    'protocol_error_job',
    async () => {
      await sleep(300);
      throw new RpcError(-32603, 'The job broke down');
    },
    { taskSupport: 'optional' },
  ),
  tool(
    'confirm_delete',
    async (args, ctx) => {
      await sleep(300);
      const answer = await ctx.ask('confirm', elicit('confirm', 'boolean', `Delete ${args.filename}?`));
      return text(outcome(answer));
    },
    { input: params({ filename: { type: 'string' } }), taskSupport: 'optional' },
  ),
  tool(
    'multi_input',
    async (_args, ctx) => {
      await sleep(300);
      const answers = await Promise.all([
        ctx.ask('first', elicit('name', 'string', 'First name?')),
        ctx.ask('second', elicit('name', 'string', 'Second name?')),
      ]);
      return text(answers.map((answer) => content(answer, 'name')).join(' and '));
    },
    { taskSupport: 'optional' },
  ),
  tool(
    'test_tool_with_task',
    async (_args, ctx) => {
      const answer = await ctx.ask('user_name', elicit('name', 'string', 'What is your name?'));
      await sleep(500);
      return text(`Task for ${content(answer, 'name')}`);
    },
    { taskSupport: 'required' },
  ),
];

const says = (role: 'user', block: ContentBlock) => ({ role, content: block });
const prompts: PromptRecord[] = [
  {
    name: 'test_simple_prompt',
    description: 'A prompt without arguments',
    get: async () => [says('user', { type: 'text', text: 'This is a simple prompt for testing.' })],
  },
  {
    name: 'test_prompt_with_arguments',
    description: 'A prompt with two arguments',
    arguments: [
      { name: 'arg1', description: 'First test argument', required: true },
      { name: 'arg2', description: 'Second test argument', required: true },
    ],
    get: async ({ arg1, arg2 }) => [
      says('user', { type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
    ],
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'A prompt that embeds a resource',
    arguments: [{ name: 'resourceUri', description: 'URI of the resource to embed', required: true }],
    get: async ({ resourceUri }) => [
      says('user', {
        type: 'resource',
        resource: { uri: resourceUri!, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
      }),
      says('user', { type: 'text', text: 'Please process the embedded resource above.' }),
    ],
  },
  {
    name: 'test_prompt_with_image',
    description: 'A prompt with an image',
    get: async () => [
      says('user', { type: 'image', data: PNG, mimeType: 'image/png' }),
      says('user', { type: 'text', text: 'Please analyze the image above.' }),
    ],
  },
  {
    name: 'test_input_required_result_prompt',
    description: 'A prompt that asks first',
    get: async (_args, ctx) => {
      const answer = await ctx.ask('user_context', elicit('context', 'string', 'What context should the prompt use?'));
      return [says('user', { type: 'text', text: `Context: ${content(answer, 'context')}` })];
    },
  },
];

export function conformanceProfile(): Profile {
  const tools = new ToolRegistry([...contentTools, ...messageTools, ...questionTools, ...roundTools, ...taskTools]);
  const trigger = tool('test_trigger_tool_change', () => {
    tools.register(trigger);
    return text('The tool list has changed.');
  });
  tools.register(trigger);
  return {
    name: 'conformance',
    serverInfo: { name: 'sextant-conformance', title: 'Conformance fixtures', version: '1.0.0' },
    instructions: 'Fixtures for the conformance suites.',
    tools,
    errors: {
      invalidArguments: (issues) => ({
        ...text(issues.map(({ path, reason }) => `${path} ${reason}`).join('; ')),
        isError: true,
      }),
      engineError: (error) => ({ ...text(error.message), isError: true }),
    },
    prompts,
    complete: async ({ value }) => ['paris', 'park', 'party'].filter((word) => word.startsWith(value)),
    resources: {
      list: async () => [
        { uri: 'test://static-text', name: 'static-text', description: 'A text', mimeType: 'text/plain' },
        { uri: 'test://static-binary', name: 'static-binary', description: 'A picture', mimeType: 'image/png' },
        { uri: 'test://watched-resource', name: 'watched', description: 'It may change', mimeType: 'text/plain' },
      ],
      templates: [
        {
          uriTemplate: 'test://template/{id}/data',
          name: 'template',
          description: 'Data by id',
          mimeType: 'application/json',
        },
      ],
      read: async (uri) => {
        if (uri === 'test://static-text')
          return [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }];
        if (uri === 'test://static-binary') return [{ uri, mimeType: 'image/png', blob: PNG }];
        if (uri === 'test://watched-resource') return [{ uri, mimeType: 'text/plain', text: 'watched' }];
        const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
        if (id === undefined) return null;
        const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
        return [{ uri, mimeType: 'application/json', text: data }];
      },
      subscribe: () => () => {},
    },
  };
}
