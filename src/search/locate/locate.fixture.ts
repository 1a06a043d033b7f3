/** A made-up project for the tests of locate. */
import { after, before } from 'node:test';
import { type Workspace, workspace } from '../../../test/workspace.ts';
import type { LocateRequest } from '../../model/records/query.ts';

export let space: Workspace;

before(async () => {
  space = workspace({
    'src/parse.ts':
      'export function parse(text: string) {\n  return text;\n}\n\nexport function parseFile(path: string) {\n' +
      '  return parse(path);\n}\n\nexport function fastParse() {\n  return 1;\n}\n\nexport class Config {\n' +
      '  parse() {\n    return 1;\n  }\n  reload() {\n    return 2;\n  }\n}\n\nexport class Session {\n' +
      '  reload() {\n    return 3;\n  }\n}\n',
    'src/parse.test.ts': 'export function parse() {\n  return "from a test";\n}\n',
    'app/settings.py': 'class Settings:\n    def reload(self):\n        return 1\n\n\nLIMIT = 3\n',
    'java/Client.java':
      'package net;\n\npublic class Client {\n  public static class Builder {\n' +
      '    Client build() { return null; }\n  }\n}\n',
    'src/clientBuilder.test.ts': 'export function clientBuilder() {\n  return 1;\n}\n',
    'src/shop-factory.ts':
      'class Made {\n  open() {\n    return 1;\n  }\n}\n\nexport const ShopFactory = new Made();\n\n' +
      'export class OpenDoor {}\n',
    'lib/mail.rb':
      'class Mail\n  def push(item)\n    item\n  end\n\n  def self.push(item)\n    new.push(item)\n  end\nend\n',
    'lang/de.json': '{ "Basket Error": "Fehler", "Basket Type": "Art" }',
    'lang/fr.json': '{ "Basket Error": "Erreur", "Basket Type": "Genre", "Till Error": "Caisse" }',
    'src/basket.ts': 'export class Basket {}\nexport class BasketView {}\n',
    'docs/install.md': '# Installation\n\nThe notes on installation.\n',
  });
  await space.engine.index(space.root);
});

after(() => space.close());

export const locate = async (request: LocateRequest) => (await space.engine.locate(space.root, request)).symbols;
