package io.tidemark.platform;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.testing.ContractChanges;
import io.tidemark.platform.testing.Contracts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;

/** Who was written against the last version of the HTTP contracts can use this one. */
class CompatibilityTest {

  @Test
  void nothingBreaksACallerButWhatIsAnnounced() {
    List<String> breaks = new ArrayList<>();
    for (String document : Contracts.files("baseline/openapi")) {
      breaks.addAll(
          ContractChanges.breaks(
              parsed(Contracts.text("baseline/openapi/" + document)),
              parsed(Contracts.text("openapi/" + document))));
    }
    List<Map<String, Object>> announced =
        Contracts.list("baseline/announced-breaks.yaml", "breaks");
    assertThat(announced).allSatisfy(one -> assertThat(one.get("because")).asString().isNotBlank());
    assertThat(breaks)
        .containsExactlyInAnyOrderElementsOf(
            announced.stream().map(one -> one.get("break").toString()).toList());
  }

  /** Each line changes one text of the small document below, and names what is to be found. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/things:            | /thing:               | /things is gone",
        "get:                | head:                 | GET /things is gone",
        "listThings          | getThings             | GET /things has another operationId",
        "name: page          | name: side            | GET /things query page is gone",
        "required: false     | required: true        | GET /things query page is required now",
        "maximum: 100        | maximum: 50           | GET /things query page has a smaller maximum",
        "[up, down]          | [up]                  | GET /things query order takes fewer names",
        "\"200\":            | \"201\":              | GET /things 200 is gone",
        "ETag:               | Etag:                 | GET /things 200 header ETag is gone",
        "text/csv:           | text/tsv:             | GET /things 200 text/csv is gone",
        "count:              | number:               | GET /things 200.count is gone",
        "type: integer       | type: string          | GET /things query page has another type",
        "[count]             | []                    | GET /things 200.count may be absent now",
        "format: int64       | format: int64, nullable: true | GET /things 200.count may be null",
        "[title]             | [title, size]         | POST /things body.size is required now",
        "maxLength: 64       | maxLength: 63         | POST /things body.title has a smaller maxLength",
        "minLength: 1        | minLength: 2          | POST /things body.title has a larger minLength",
      })
  void aBreakIsFound(String text, String instead, String found) {
    assertThat(DOCUMENT).contains(text.strip());
    assertThat(
            ContractChanges.breaks(
                parsed(DOCUMENT), parsed(DOCUMENT.replace(text.strip(), instead.strip()))))
        .contains(found.strip());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "maximum: 100     | maximum: 200",
        "[up, down]       | [up, down, across]",
        "maxLength: 64    | maxLength: 128",
        "[title]          | []",
        "[red]            | [red, blue]",
        "size: {type: integer} | size: {type: integer}, colour: {type: string}",
      })
  void moreIsNoBreak(String text, String instead) {
    assertThat(DOCUMENT).contains(text.strip());
    assertThat(
            ContractChanges.breaks(
                parsed(DOCUMENT), parsed(DOCUMENT.replace(text.strip(), instead.strip()))))
        .isEmpty();
  }

  private static Map<String, Object> parsed(String text) {
    return new Yaml().load(text);
  }

  private static final String DOCUMENT =
      """
      openapi: 3.0.3
      paths:
        /things:
          get:
            operationId: listThings
            parameters:
              - {name: page, in: query, required: false, schema: {type: integer, maximum: 100}}
              - {name: order, in: query, schema: {type: string, enum: [up, down]}}
            responses:
              "200":
                description: Some
                headers:
                  ETag: {schema: {type: string}}
                content:
                  application/json: {schema: {$ref: '#/components/schemas/Things'}}
                  text/csv: {schema: {type: string}}
              "404":
                description: None
          post:
            operationId: makeThing
            requestBody:
              content:
                application/json: {schema: {$ref: '#/components/schemas/New'}}
            responses:
              "202": {description: Made}
      components:
        schemas:
          Things:
            type: object
            required: [count]
            properties:
              count: {type: number, format: int64}
              colour: {type: string, enum: [red]}
              more: {$ref: '#/components/schemas/Things'}
          New:
            type: object
            required: [title]
            properties: {title: {type: string, maxLength: 64, minLength: 1}, size: {type: integer}}
      """;
}
