import type { TemplateSource } from "../../template.js";
import { templatesOf, type Variant } from "../shared/of.js";
import { description, license, projectName, version } from "../shared/parameters.js";
import { groupId, javaVersion, PACKAGE } from "./toolchain.js";

const template = templatesOf("java");

const JAR = `
      <plugin>
        <groupId>org.apache.maven.plugins</groupId>
        <artifactId>maven-jar-plugin</artifactId>
        <version>3.4.2</version>
        <configuration>
          <archive>
            <manifest>
              <mainClass>${PACKAGE}.Main</mainClass>
            </manifest>
          </archive>
        </configuration>
      </plugin>`;

const SOURCES = `
      <plugin>
        <groupId>org.apache.maven.plugins</groupId>
        <artifactId>maven-source-plugin</artifactId>
        <version>3.3.1</version>
        <executions>
          <execution>
            <id>attach-sources</id>
            <goals>
              <goal>jar-no-fork</goal>
            </goals>
          </execution>
        </executions>
      </plugin>`;

const pom = (plugin: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0"
         xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
         xsi:schemaLocation="http://maven.apache.org/POM/4.0.0 https://maven.apache.org/xsd/maven-4.0.0.xsd">
  <modelVersion>4.0.0</modelVersion>

  <groupId>{{ group_id }}</groupId>
  <artifactId>{{ project_name | kebab }}</artifactId>
  <version>{{ version }}-SNAPSHOT</version>
  <packaging>jar</packaging>
  <name>{{ project_name }}</name>
{%- if description != "" %}
  <description>{{ description | xml }}</description>
{%- endif %}
  <licenses>
    <license>
      <name>{{ license }}</name>
    </license>
  </licenses>

  <properties>
    <maven.compiler.release>{{ java_version }}</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
    <project.build.outputTimestamp>2025-01-01T00:00:00Z</project.build.outputTimestamp>
  </properties>

  <dependencies>
    <dependency>
      <groupId>org.junit.jupiter</groupId>
      <artifactId>junit-jupiter</artifactId>
      <version>5.13.4</version>
      <scope>test</scope>
    </dependency>
  </dependencies>

  <build>
    <finalName>{{ project_name | kebab }}</finalName>
    <plugins>
      <plugin>
        <groupId>org.apache.maven.plugins</groupId>
        <artifactId>maven-compiler-plugin</artifactId>
        <version>3.14.0</version>
        <configuration>
          <compilerArgs>
            <arg>-Xlint:all</arg>
            <arg>-Werror</arg>
          </compilerArgs>
        </configuration>
      </plugin>
      <plugin>
        <groupId>org.apache.maven.plugins</groupId>
        <artifactId>maven-surefire-plugin</artifactId>
        <version>3.5.3</version>
      </plugin>${plugin}
      <plugin>
        <groupId>com.diffplug.spotless</groupId>
        <artifactId>spotless-maven-plugin</artifactId>
        <version>2.44.3</version>
        <configuration>
          <java>
            <googleJavaFormat/>
            <removeUnusedImports/>
          </java>
        </configuration>
      </plugin>
    </plugins>
  </build>
</project>
`;

const manifest = (variant: Variant, what: string, plugin: string): TemplateSource =>
  template("manifest", variant, {
    description: `Manifest for Maven of ${what}, with JUnit 5 and warnings as errors.`,
    filename: "pom.xml",
    parameters: [projectName, groupId, description, license, version, javaVersion],
    body: pom(plugin),
  });

/** What Maven is told of a Java project. */
export const manifests: readonly TemplateSource[] = [
  manifest("cli", "a Java program", JAR),
  manifest("lib", "a Java library", SOURCES),
  manifest("service", "a Java server", JAR),
];
